import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { eventTypes, post, untilShown } from '../support/reading/deliveries.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const MANY = 200;

let sinks: [SmtpSink, SmtpSink];
let relays: [TcpProxy, TcpProxy];
let names: [string, string];
let host: RunningHost;

beforeAll(async () => {
  sinks = [await SmtpSink.start(), await SmtpSink.start()];
  relays = [await TcpProxy.start('127.0.0.1', sinks[0].port), await TcpProxy.start('127.0.0.1', sinks[1].port)];
  names = [`127.0.0.1:${relays[0].port}`, `127.0.0.1:${relays[1].port}`];
  const smtp = names.map((name) => `smtp://${name}`).join(',');
  host = await startHost({ smtp, env: { SMTP_HOP: 'relay, final', RETRY_SCHEDULE: '1s,1s,1s,10m,10m' } });
});

beforeEach(async () => {
  for (const relay of relays) await relay.restore();
  for (const sink of sinks) sink.reset();
  // A relay that was down is asked once a second.
  await until(async () => (await sendOne()).at(-1)?.transport === names[0], { timeout: host.seconds(20) });
  for (const sink of sinks) sink.reset();
});

interface Attempt {
  transport: string;
  outcome: string | null;
}

/** The attempts at an email, and what became of them. */
function attemptsAt(id: string): Promise<Attempt[]> {
  return host.query<Attempt>(
    `SELECT transport, outcomes->0->>'outcome' AS outcome FROM nestjs_emails.attempts WHERE email_id = $1 ORDER BY fence`,
    [id],
  );
}

async function ended(id: string): Promise<Attempt[]> {
  await until(async () => /^(sent|delivered|bounced|failed)$/.test((await stateOf(id)).lastEvent), {
    timeout: host.seconds(20),
  });
  return attemptsAt(id);
}

async function stateOf(id: string): Promise<{ lastEvent: string; attempts: number }> {
  const [row] = await host.query<{ lastEvent: string; attempts: number }>(
    'SELECT last_event AS "lastEvent", attempts FROM nestjs_emails.deliveries WHERE email_id = $1',
    [id],
  );
  return row ?? { lastEvent: 'missing', attempts: 0 };
}

const sendOne = async (to = 'one@to.test') => ended(await post(host, to));
const postMany = (name: string) =>
  Promise.all(Array.from({ length: MANY }, (_, n) => post(host, `${name}${n}@to.test`)));

const untilAll = (states: readonly string[], ids: readonly string[]) =>
  until(
    async () => {
      const rows = await host.query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND last_event = ANY($2)',
        [ids, states],
      );
      return rows[0]?.count === ids.length;
    },
    { what: states.join(' or '), timeout: host.seconds(30) },
  );

/** Messages of the two sinks with this text in an address. */
const got = (name: string) =>
  sinks.map(({ messages }) => messages.filter(({ envelope }) => envelope.to[0]?.startsWith(name)).length);

describe('two relays', () => {
  it('the first gets all mail, and its name is in attempts and events', async () => {
    const id = await post(host, 'first@to.test');
    expect(await ended(id)).toEqual([{ transport: names[0], outcome: 'accepted' }]);
    const { body } = await host.request<{ data: { type: string; transport: string | null }[] }>(
      'GET',
      `/emails/${id}/events`,
    );
    expect(body.data.map(({ type, transport }) => [type, transport])).toEqual([
      ['sent', names[0]],
      ['queued', null],
    ]);
    expect(got('first')).toEqual([1, 0]);
    const found = async (transport: string) => {
      const path = `/emails?to=first@to.test&transport=${encodeURIComponent(transport)}`;
      return (await host.request<{ data: { id: string }[] }>('GET', path)).body.data.map((email) => email.id);
    };
    expect(await Promise.all(names.map(found))).toEqual([[id], []]);
    expect((await host.request('GET', '/emails?transport=a%20b')).status).toBe(422);
  });

  it('the second gets the mail of a first one that is down, at once and without a delay, and the first again when it is back', async () => {
    await relays[0].refuse();
    const ids = await postMany('down');
    await untilAll(['delivered'], ids);
    expect(got('down')).toEqual([0, MANY]);
    expect(await eventTypes(host, ids[0] as string)).toEqual(['queued', 'sent', 'delivered']);
    const delayed = await host.query(
      "SELECT 1 FROM nestjs_emails.events WHERE email_id = ANY($1) AND type = 'delivery_delayed'",
      [ids],
    );
    expect(delayed).toEqual([]);
    await relays[0].restore();
    await until(async () => (await sendOne()).at(-1)?.transport === names[0], { timeout: host.seconds(20) });
  });

  it.each([0, 1] as const)('mail that waits for both leaves by number %i when that is back', async (back) => {
    for (const relay of relays) await relay.refuse();
    const ids = await postMany(`both${back}-`);
    await untilAll(['delivery_delayed'], ids);
    await relays[back].restore();
    await untilAll(['sent', 'delivered'], ids);
    expect(got(`both${back}-`)[back]).toBe(MANY);
    expect(got(`both${back}-`)[1 - back]).toBe(0);
  });

  it.each([
    ['421 as greeting', (sink: SmtpSink) => (sink.onConnect = () => '421 4.3.2 busy')],
    ['451 to MAIL', (sink: SmtpSink) => (sink.onMail = () => '451 4.3.0 later')],
    ['a limit of the sender at MAIL', (sink: SmtpSink) => (sink.onMail = () => '454 4.7.0 Throttling failure')],
    [
      'a limit of the sender at RCPT',
      (sink: SmtpSink) => (sink.onRcpt = () => '550 5.4.5 Daily user sending limit exceeded'),
    ],
  ])('after %s the email leaves by the second, and no attempt is counted twice', async (_, refuse) => {
    sinks[0].cut();
    refuse(sinks[0]);
    const id = await post(host, 'moved@to.test');
    const attempts = await ended(id);
    expect(attempts.at(-1)).toEqual({ transport: names[1], outcome: 'accepted' });
    expect(await stateOf(id)).toEqual({ lastEvent: 'delivered', attempts: 1 });
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'delivered']);
    expect(got('moved')).toEqual([0, 1]);
  });

  it('a recipient that is put off stays with the first, as the schedule says', async () => {
    sinks[0].onRcpt = (_, count) => (count < 3 ? '451 4.7.1 greylisted' : undefined);
    const id = await post(host, 'greylisted@to.test');
    expect((await ended(id)).map(({ transport }) => transport)).toEqual([names[0], names[0], names[0]]);
    expect(await stateOf(id)).toEqual({ lastEvent: 'sent', attempts: 3 });
  });

  it('content that is put off may leave by the second, when the schedule says so', async () => {
    sinks[0].onData = () => '451 4.3.0 later';
    const id = await post(host, 'content@to.test');
    expect((await ended(id)).map(({ transport }) => transport)).toEqual(names);
    expect(await stateOf(id)).toEqual({ lastEvent: 'delivered', attempts: 2 });
    expect(await eventTypes(host, id)).toEqual(['queued', 'delivery_delayed', 'sent', 'delivered']);
  });

  it('a refusal never moves, and an unknown end is tried again by the schedule alone', async () => {
    sinks[0].onRcpt = (address) => (address.startsWith('refused') ? '550 5.1.1 User unknown' : undefined);
    expect((await sendOne('refused@to.test')).map(({ transport }) => transport)).toEqual([names[0]]);
    sinks[0].onMessage = ({ envelope }, count) =>
      envelope.to[0]?.startsWith('unknown') && count === 1 ? 'drop' : undefined;
    const id = await post(host, 'unknown@to.test');
    expect(await ended(id)).toEqual([
      { transport: names[0], outcome: 'unknown' },
      { transport: names[0], outcome: 'accepted' },
    ]);
    expect(got('refused').concat(got('unknown'))).toEqual([0, 0, 1, 0]);
  });

  it('an email that both refuse before its recipients is tried once by each, and counts once', async () => {
    for (const sink of sinks) sink.onMail = () => '451 4.3.0 later';
    const id = await post(host, 'nowhere@to.test');
    await untilShown(host, id, 'delivery_delayed');
    await until(async () => (await attemptsAt(id)).length >= 2);
    const before = await attemptsAt(id);
    expect(before.slice(0, 2)).toEqual(names.map((transport) => ({ transport, outcome: 'deferred' })));
    for (const sink of sinks) sink.reset();
    await untilAll(['sent', 'delivered'], [id]);
    const attempts = await attemptsAt(id);
    expect((await stateOf(id)).attempts).toBe(Math.ceil(attempts.length / 2));
  });

  it('mail on the wire leaves when the first dies under it: none is lost, none delayed longer than its retry', async () => {
    sinks[0].onMessage = async (_, count) => {
      if (count === 20) setImmediate(() => void relays[0].refuse());
      return count >= 20 ? 'hang' : undefined;
    };
    const ids = await postMany('wire');
    await untilAll(['sent', 'delivered'], ids);
    const unknown = await host.query<{ address: string }>(
      `SELECT outcomes->0->>'address' AS address FROM nestjs_emails.attempts
       WHERE email_id = ANY($1) AND outcomes->0->>'outcome' = 'unknown'`,
      [ids],
    );
    const copies = sinks.flatMap(({ messages }) => messages.map(({ envelope }) => envelope.to[0] ?? ''));
    expect(new Set(copies).size).toBe(MANY);
    const twice = copies.filter((address, at) => copies.indexOf(address) < at);
    expect(unknown.map(({ address }) => address)).toEqual(expect.arrayContaining(twice));
  });

  it('a first one that answers nothing keeps only what it has: the rest leaves by the second within ten seconds', async () => {
    sinks[0].onMail = () => 'hang';
    const began = performance.now();
    const ids = await postMany('slow');
    await until(async () => (got('slow')[1] ?? 0) >= MANY * 0.85, { timeout: host.seconds(20) });
    expect(performance.now() - began).toBeLessThan(host.seconds(10));
    sinks[0].reset();
    await relays[0].refuse();
    await untilAll(['sent', 'delivered'], ids);
    expect(got('slow')).toEqual([0, MANY]);
  });
});
