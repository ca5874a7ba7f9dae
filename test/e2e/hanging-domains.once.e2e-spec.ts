import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilSettled } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const EACH = 30;
/** Slots of a domain of which nothing is known. */
const FIRST = 2;
/** Connections that are not left to domains without any: of the others, each may have one. */
const SHARED = 15;

let sink: SmtpSink;
let host: RunningHost;
let release = () => {};
/** Messages that are held up now. */
let held = 0;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final' } });
});

beforeEach(() => {
  sink.reset();
  held = 0;
});
afterEach(() => release());

const postEach = (domains: readonly string[], each: number) =>
  Promise.all(domains.flatMap((domain) => Array.from({ length: each }, (_, n) => post(host, `to${n}@${domain}`))));

const others = (name: string) => Array.from({ length: EACH }, (_, n) => `other${n}.${name}.test`);
const hangingOnes = (name: string) => [0, 1, 2].map((n) => `hangs${n}.${name}.test`);

/** Nothing comes from the server about a message to one of the domains from now on, until `release` is called. */
function hangAt(stage: 'the recipient' | 'the final dot', domains: readonly string[]): void {
  const released = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  const hang = (address = '') => {
    if (!domains.includes(address.split('@')[1] ?? '')) return undefined;
    held++;
    return released;
  };
  if (stage === 'the recipient') sink.onRcpt = hang;
  else sink.onMessage = ({ envelope }) => hang(envelope.to[0]);
}

const delivered = async (ids: readonly string[]) => {
  const [row] = await host.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND last_event = 'delivered'`,
    [ids],
  );
  return row?.count;
};

describe('domains that hang', () => {
  it.each([
    ['the recipient', 'rcpt'],
    ['the final dot', 'dot'],
  ] as const)('at %s hold up no mail to others', async (stage, name) => {
    const domains = hangingOnes(name);
    hangAt(stage, domains);
    const hanging = await postEach(domains, EACH);
    const ids = await postEach(others(name), 1);
    await until(async () => (await delivered(ids)) === EACH, { what: 'mail to others', timeout: host.seconds(20) });
    await until(() => held === domains.length * FIRST, { what: 'all slots to be taken' });
    expect(await delivered(hanging)).toBe(0);
    release();
    await untilSettled(host, hanging, { timeout: host.seconds(60) });
    expect(await delivered(hanging)).toBe(domains.length * EACH);
  });

  it('hold up no mail to others either when they had many slots before', async () => {
    const domains = hangingOnes('busy');
    await untilSettled(host, await postEach(domains, EACH), { timeout: host.seconds(60) });
    hangAt('the recipient', domains);
    const hanging = await postEach(domains, EACH);
    await until(() => held >= SHARED, { what: 'the connections that they may have' });
    const ids = await postEach(others('busy'), 1);
    await until(async () => (await delivered(ids)) === EACH, { what: 'mail to others', timeout: host.seconds(20) });
    expect(held).toBeLessThan(SHARED + domains.length);
    expect(await delivered(hanging)).toBe(0);
    release();
    await untilSettled(host, hanging, { timeout: host.seconds(60) });
  });
});
