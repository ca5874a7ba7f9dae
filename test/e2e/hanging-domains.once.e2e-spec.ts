import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilSettled } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const EACH = 30;
/** Slots of an unknown domain. */
const FIRST = 2;
/** Connections of 20 that are not reserved for domains without any. */
const SHARED = 10;
/** As above, including those reserved for unknown domains. The last are for quick domains. */
const FOR_UNKNOWN = 15;

let sink: SmtpSink;
let host: RunningHost;
let release = () => {};
/** Messages that are held now. */
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

/** Text of an email that waits for memory. */
const LARGE = 'hello world '.repeat(25_000);
/** Text that takes all of that room. */
const HUGE = 'hello world '.repeat(1_985_000);

/** The server stops answering messages to the domains until `release` is called. */
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
  ] as const)('at %s do not delay mail to others', async (stage, name) => {
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

  it('do not delay mail to others either when they had many slots before', async () => {
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

  it('do not delay mail to quick domains, in any number', async () => {
    const known = others('many');
    await untilSettled(host, await postEach(known, 1), { timeout: host.seconds(60) });
    const domains = Array.from({ length: 25 }, (_, n) => `hangs${n}.many.test`);
    hangAt('the recipient', domains);
    const hanging = await postEach(domains, 1);
    await until(() => held >= FOR_UNKNOWN, { what: 'the connections that they may have' });
    const ids = await postEach(known, 1);
    await until(async () => (await delivered(ids)) === EACH, { what: 'mail to others', timeout: host.seconds(20) });
    expect(held).toBe(FOR_UNKNOWN);
    expect(await delivered(hanging)).toBe(0);
    release();
    await untilSettled(host, hanging, { timeout: host.seconds(60) });
  });

  it('do not delay mail to a domain that they share emails with, or to a new one', async () => {
    await untilSettled(host, await postEach(['good.several.test'], EACH), { timeout: host.seconds(60) });
    const domains = Array.from({ length: 15 }, (_, n) => `hangs${n}.several.test`);
    hangAt('the recipient', domains);
    const hanging = await Promise.all(
      domains.map((domain) => post(host, ['with@good.several.test', `with@${domain}`])),
    );
    await until(() => held >= SHARED, { what: 'the connections that they may have' });
    const ids = await postEach(['good.several.test'], EACH - 1);
    ids.push(...(await postEach(['new.several.test'], 1)));
    await until(async () => (await delivered(ids)) === EACH, { what: 'mail to others', timeout: host.seconds(20) });
    expect(held).toBe(SHARED);
    release();
    await untilSettled(host, hanging, { timeout: host.seconds(60) });
    expect(await delivered(hanging)).toBe(domains.length);
    for (const domain of domains) {
      const copies = sink.messages.filter(({ envelope }) => envelope.to.includes(`with@${domain}`));
      expect(copies.map(({ envelope }) => envelope.to)).toEqual([['with@good.several.test', `with@${domain}`]]);
    }
  });

  it('do not delay large emails to quick domains, with large ones of their own', async () => {
    const known = others('large').slice(0, 10);
    await untilSettled(host, await postEach(known, 1), { timeout: host.seconds(60) });
    hangAt('the recipient', ['hangs.large.test']);
    const hanging = await post(host, 'to@hangs.large.test', { text: HUGE });
    await until(() => held === 1, { what: 'the huge email', timeout: host.seconds(60) });
    const ids = await Promise.all(known.map((domain) => post(host, `to@${domain}`, { text: LARGE })));
    await until(async () => (await delivered(ids)) === known.length, {
      what: 'large emails to others',
      timeout: host.seconds(20),
    });
    expect(await delivered([hanging])).toBe(0);
    release();
    await untilSettled(host, [hanging], { timeout: host.seconds(60) });
  });
});
