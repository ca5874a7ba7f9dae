import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { eventTypes, post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { parseMime } from '../support/reading/mime.js';
import { withoutReference } from '../support/reading/without-reference.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const EACH = { SMTP_HOP: 'final', RECIPIENTS_PER_MESSAGE: '1' };

let sink: SmtpSink;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startHost({ smtp: sink, env: EACH });
});

beforeEach(() => sink.reset());

interface SplitAttempt {
  fence: number;
  message: number;
  ended: boolean;
  unknown: boolean;
  outcomes: string[] | null;
}

/** The attempts of an email, in the order of its messages. */
const attemptsOf = (of: RunningHost, id: string) =>
  of.query<SplitAttempt>(
    `SELECT fence, message, finished_at IS NOT NULL AS ended, unknown,
       (SELECT array_agg(o->>'outcome') FROM jsonb_array_elements(outcomes) AS o) AS outcomes
     FROM nestjs_emails.attempts WHERE email_id = $1 ORDER BY fence, message`,
    [id],
  );

/** How many accepted messages each address got. */
function copies(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { envelope } of sink.messages) for (const to of envelope.to) counts[to] = (counts[to] ?? 0) + 1;
  return counts;
}

const once = (addresses: readonly string[]) => Object.fromEntries(addresses.map((address) => [address, 1]));
const addresses = (count: number, domain = 'to.test') => Array.from({ length: count }, (_, n) => `r${n}@${domain}`);

const recipientsOf = async (id: string) =>
  (await host.request<{ data: Record<string, unknown>[] }>('GET', `/emails/${id}/recipients`)).body.data;

describe('an email that is sent as one message for each recipient', () => {
  it('is one email, with one Message-ID, lease and settlement, and an attempt for each message', async () => {
    const id = await post(host, ['a@to.test', 'b@other.test'], { cc: 'c@to.test', bcc: 'd@to.test' });
    const { message_id } = await untilShown(host, id, 'delivered');
    expect(copies()).toEqual(once(['a@to.test', 'b@other.test', 'c@to.test', 'd@to.test']));
    const messages = await Promise.all(sink.messages.map(({ raw }) => parseMime(raw)));
    for (const { messageId, to, cc } of messages) {
      expect(messageId).toBe(message_id);
      expect([to, cc].flat().map((mailbox) => mailbox?.address)).toEqual(['a@to.test', 'b@other.test', 'c@to.test']);
    }
    const references = sink.messages.map(({ raw }) => /^X-Email-Ref: (.+)\r$/m.exec(String(raw))?.[1]);
    expect(new Set(references).size).toBe(4);
    expect(await attemptsOf(host, id)).toEqual(
      [1, 2, 3, 4].map((message) => ({ fence: 1, message, ended: true, unknown: false, outcomes: ['accepted'] })),
    );
    expect(await eventTypes(host, id)).toEqual(['queued', ...Array(4).fill(['sent', 'delivered']).flat()]);
    const [row] = await host.query('SELECT fence, attempts FROM nestjs_emails.deliveries WHERE email_id = $1', [id]);
    expect(row).toEqual({ fence: 2, attempts: 1 });
    expect(await recipientsOf(id)).toMatchObject(Array(4).fill({ attempts: 1, last_event: 'delivered' }));
  });

  it('is delayed or bounces for the recipients that the server says so of, and for no others', async () => {
    sink.onRcpt = (address, count) => {
      if (address === 'gone@to.test') return '550 5.1.1 No such user';
      return address === 'later@to.test' && count === 1 ? '451 4.7.1 later' : undefined;
    };
    const to = ['a@to.test', 'later@to.test', 'gone@to.test', 'z@to.test'];
    const id = await post(host, to);
    await untilSettled(host, [id]);
    expect(copies()).toEqual(once(['a@to.test', 'later@to.test', 'z@to.test']));
    expect(await eventTypes(host, id, 'later@to.test')).toEqual(['delivery_delayed', 'sent', 'delivered']);
    expect(await eventTypes(host, id, 'gone@to.test')).toEqual(['bounced']);
    expect((await recipientsOf(id)).map(({ attempts }) => attempts)).toEqual([1, 2, 1, 1]);
  });

  it('is unknown for the one recipient whose message lost its answer', async () => {
    sink.onMessage = ({ envelope }, count) => (envelope.to[0] === 'r1@to.test' && count <= 2 ? 'drop' : undefined);
    const id = await post(host, addresses(3));
    await untilShown(host, id, 'delivered');
    expect(copies()).toEqual(once(addresses(3)));
    expect(sink.offered).toHaveLength(4);
    const unknown = (await attemptsOf(host, id)).filter((attempt) => attempt.unknown);
    expect(unknown).toMatchObject([{ message: 2, outcomes: ['unknown'] }]);
    expect(await eventTypes(host, id, 'r1@to.test')).toEqual(['delivery_delayed', 'sent', 'delivered']);
  });

  it('shows no recipient that is refused, in any message', async () => {
    await host.request('POST', '/suppressions', { body: { email: 'never@to.test' } });
    const id = await post(host, ['a@to.test', 'never@to.test', 'b@to.test']);
    await untilShown(host, id, 'delivered');
    expect(copies()).toEqual(once(['a@to.test', 'b@to.test']));
    for (const { raw } of sink.messages) expect(String(raw)).not.toContain('never@to.test');
    expect(await eventTypes(host, id, 'never@to.test')).toEqual(['suppressed']);
  });

  it('leaves the connections to others between its messages, and its lease after a while', async () => {
    let held = 0;
    sink.onMessage = async ({ envelope }) => {
      if (envelope.to[0]?.endsWith('@slow.test')) {
        held++;
        await sleep(700);
      }
      return undefined;
    };
    const slow = await post(host, addresses(12, 'slow.test'));
    await until(() => held >= 1);
    const quick = await post(host, 'quick@to.test');
    await untilShown(host, quick, 'delivered');
    expect(held).toBeLessThan(6);
    await untilShown(host, slow, 'delivered', { timeout: host.seconds(40) });
    expect(copies()).toEqual(once([...addresses(12, 'slow.test'), 'quick@to.test']));
    expect(new Set((await attemptsOf(host, slow)).map(({ fence }) => fence)).size).toBeGreaterThan(1);
    expect((await recipientsOf(slow)).map(({ attempts }) => attempts)).toEqual(Array(12).fill(1));
  });

  it('keeps one destination that answers nothing from holding up the others', async () => {
    sink.onRcpt = (address) => (address.endsWith('@down.test') ? '451 4.3.2 not now' : undefined);
    const id = await post(host, ['a@down.test', ...addresses(5), 'b@down.test']);
    await sink.waitFor(5);
    expect(copies()).toEqual(once(addresses(5)));
    delete sink.onRcpt;
    await untilShown(host, id, 'delivered');
  });
});

describe('a worker that dies in the middle of such an email, on either queue', () => {
  let api: RunningHost;
  const workers: RunningHost[] = [];

  beforeAll(async () => {
    api = await startHost({ role: 'api', smtp: sink, env: EACH });
  });

  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.kill())));

  async function startWorker(): Promise<RunningHost> {
    const worker = await startHost({ role: 'worker', beside: api, smtp: sink, env: EACH });
    workers.push(worker);
    return worker;
  }

  it('leaves one recipient unknown, and the others are sent to once', async () => {
    const first = await startWorker();
    let isHanging = false;
    sink.onMessage = ({ envelope }) => {
      if (isHanging || envelope.to[0] !== 'r3@to.test') return undefined;
      isHanging = true;
      return 'hang';
    };
    const to = addresses(8);
    const id = await post(api, to);
    await until(() => isHanging);
    const before = await attemptsOf(api, id);
    expect(before.map(({ ended, outcomes }) => [ended, outcomes])).toEqual([
      ...Array(3).fill([false, ['accepted']]),
      [false, null],
    ]);
    await first.kill();
    const second = await startWorker();
    await untilShown(api, id, 'delivered', { timeout: second.recoveryLimit });
    expect(copies()).toEqual(once(to));
    expect(sink.offered).toHaveLength(9);
    const attempts = await attemptsOf(api, id);
    expect(attempts.every(({ ended }) => ended)).toBe(true);
    expect(attempts.filter(({ unknown }) => unknown)).toEqual([
      { fence: 1, message: 4, ended: true, unknown: true, outcomes: null },
    ]);
    expect(attempts).toHaveLength(9);
    for (const address of to) expect(await eventTypes(api, id, address)).toEqual(['sent', 'delivered']);
  });

  it('sends none again when it is stopped in between', async () => {
    const first = await startWorker();
    sink.onMessage = async () => {
      await sleep(200);
      return undefined;
    };
    const to = addresses(10);
    const id = await post(api, to);
    await sink.waitFor(2);
    expect(await first.stop()).toBe(0);
    expect(sink.messages.length).toBeLessThan(10);
    const attempts = await attemptsOf(api, id);
    expect(attempts.every(({ ended, unknown }) => ended && !unknown)).toBe(true);
    // The next message may have been ready, without a connection.
    expect(attempts.filter(({ outcomes }) => outcomes !== null)).toHaveLength(sink.messages.length);
    await startWorker();
    await untilSettled(api, [id]);
    expect(copies()).toEqual(once(to));
  });
});

describe('RECIPIENTS_PER_MESSAGE=topics', () => {
  it('splits emails with a topic, and no others', async () => {
    const topics = await startHost({ smtp: sink, env: { ...EACH, RECIPIENTS_PER_MESSAGE: 'topics' } });
    const created = await topics.request<{ id: string }>('POST', '/topics', {
      body: { name: 'News', default_subscription: 'opt_in' },
    });
    const to = ['a@to.test', 'b@to.test'];
    await untilShown(topics, await post(topics, to), 'delivered');
    expect(sink.messages.map(({ envelope }) => envelope.to)).toEqual([to]);
    await untilShown(topics, await post(topics, to, { topic_id: created.body.id }), 'delivered');
    expect(sink.messages.slice(1).map(({ envelope }) => envelope.to)).toEqual([['a@to.test'], ['b@to.test']]);
  });
});

describe('GET /emails/:id/source', () => {
  it('shows the message of the first recipient, or of the one that is named', async () => {
    const id = await post(host, ['a@to.test', 'b.c+x@to.test']);
    await untilShown(host, id, 'delivered');
    const source = async (query = '') => host.request('GET', `/emails/${id}/source${query}`);
    const sent = withoutReference(sink.messages[0]?.raw as Buffer).toString();
    const named = `?recipient=${encodeURIComponent('B.c+x@TO.test')}`;
    for (const query of ['', named]) expect(await source(query)).toMatchObject({ status: 200, text: sent });
    for (const query of ['?recipient=c@to.test', '?recipient=a', '?recipient=a@to.test&recipient=b@to.test']) {
      const { status, body } = await source(query);
      expect([query, status, body]).toMatchObject([query, 422, { name: 'validation_error' }]);
    }
  });
});
