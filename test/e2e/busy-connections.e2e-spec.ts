import pg from 'pg';
import { eventually, until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, eventTypes, post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Connections of the twenty for domains whose speed is unknown. The others are for domains that answered quickly. */
const CONNECTIONS = 15;
/** An email may leave by an answer of the policies that is up to a second old. Milliseconds. */
const ANSWER_HOLDS = 1_000;

let sink: SmtpSink;
let host: RunningHost;
let release: () => void;
let rounds = 0;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final' } });
});

/** Occupies every connection that a new domain may have until `release` is called. */
async function occupyConnections(): Promise<string[]> {
  sink.reset();
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let held = 0;
  sink.onMail = async () => {
    held += 1;
    await released;
    return undefined;
  };
  const ids = [];
  // One each, since the last connections are for domains without any. New domains, since the earlier ones count as slow
  // now.
  rounds += 1;
  for (let n = 0; n < CONNECTIONS; n++) ids.push(await post(host, `busy@d${n}.round${rounds}.test`));
  await until(() => held === CONNECTIONS, { what: 'all connections to be busy' });
  // Attempts are written ahead when connections became free a moment ago.
  await until(async () => {
    const [row] = await host.query<{ quiet: boolean }>(
      `SELECT count(*) = 0 AS quiet FROM nestjs_emails.attempts WHERE finished_at > now() - interval '1.5 seconds'`,
    );
    return row?.quiet;
  });
  return ids;
}

const untilTaken = (ids: readonly string[]) =>
  eventually(async () => {
    const [row] = await host.query<{ taken: number }>(
      'SELECT count(*)::integer AS taken FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND fence > 0',
      [ids],
    );
    expect(row?.taken).toBe(ids.length);
  });

async function untilOlder(age: number): Promise<void> {
  const since = Date.now();
  await until(() => Date.now() - since > age);
}

async function create(path: string, body: object): Promise<string> {
  const answer = await host.request<{ id: string }>('POST', path, { body });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

async function optOut(email: string, topic: string): Promise<void> {
  const body = [{ id: topic, subscription: 'opt_out' }];
  expect((await host.request('PATCH', `/contacts/${email}/topics`, { body })).status).toBe(200);
}

const copiesFor = (domain: string) =>
  sink.offered.flatMap(({ envelope }) => envelope.to).filter((to) => to.endsWith(`@${domain}`));

describe('an email that waits for a connection', () => {
  it('is not sent to a contact that opts out in the meantime', async () => {
    const topic = await create('/topics', { name: 'News', default_subscription: 'opt_in' });
    for (const email of ['changes@waits.test', 'stays@waits.test']) await create('/contacts', { email });
    const occupied = await occupyConnections();
    const both = await post(host, ['changes@waits.test', 'stays@waits.test'], { topic_id: topic });
    const alone = await post(host, 'changes@waits.test', { topic_id: topic });
    await untilTaken([both, alone]);

    await optOut('changes@waits.test', topic);
    await untilOlder(ANSWER_HOLDS);
    release();
    await untilSettled(host, [...occupied, both, alone]);

    await untilShown(host, both, 'delivered');
    await untilShown(host, alone, 'failed');
    expect(copiesFor('waits.test')).toEqual(['stays@waits.test']);
    expect(await eventTypes(host, both, 'changes@waits.test')).toEqual(['failed']);
    expect(await eventTypes(host, alone)).toEqual(['queued', 'failed']);
  });

  it('is not sent either when the opt-out comes more than a second after the check', async () => {
    const topic = await create('/topics', { name: 'News', default_subscription: 'opt_in' });
    for (const email of ['late@second.test', 'other@second.test']) await create('/contacts', { email });
    const occupied = await occupyConnections();
    const both = await post(host, ['late@second.test', 'other@second.test'], { topic_id: topic });
    const alone = await post(host, 'late@second.test', { topic_id: topic });
    await untilTaken([both, alone]);

    const blocker = new pg.Client(host.databaseUrl);
    await blocker.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE nestjs_emails.attempts IN EXCLUSIVE MODE');
      release();
      await until(
        async () => {
          const [row] = await host.query<{ waits: boolean }>(
            `SELECT count(*) > 0 AS waits FROM pg_stat_activity
             WHERE datname = current_database() AND query LIKE '%INSERT INTO nestjs_emails.attempts%'
               AND wait_event_type = 'Lock' AND query_start < clock_timestamp() - interval '1.1 seconds'`,
          );
          return row?.waits;
        },
        { what: 'an attempt that cannot be written' },
      );
      await optOut('late@second.test', topic);
    } finally {
      await blocker.end();
    }
    await untilSettled(host, [...occupied, both, alone]);
    expect(copiesFor('second.test')).toEqual(['other@second.test']);
    expect(await eventTypes(host, both, 'late@second.test')).toEqual(['failed']);
    expect(await eventTypes(host, alone)).toEqual(['queued', 'failed']);
    for (const { finished_at, unknown } of [...(await attemptsOf(host, both)), ...(await attemptsOf(host, alone))]) {
      expect(finished_at).not.toBeNull();
      expect(unknown).toBe(false);
    }
  });

  it('has an attempt again when it is sent, if it waited longer than its attempt held', async () => {
    sink.reset();
    let sent = 0;
    const open = async () =>
      (
        await host.query<{ count: number }>(
          'SELECT count(*)::integer AS count FROM nestjs_emails.attempts WHERE finished_at IS NULL',
        )
      )[0]!.count;
    let held = 0;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Quick answers, so that attempts are written ahead; then none for longer than these hold.
    sink.onMessage = async () => {
      sent += 1;
      if (sent <= 50) return undefined;
      held += 1;
      await slow;
      return undefined;
    };
    const ids = await Promise.all(Array.from({ length: 100 }, (_, n) => post(host, `to${n}@sudden${n % 12}.test`)));
    await until(async () => held > 0 && (await open()) > held, { what: 'attempts that are written ahead' });
    await until(async () => (await open()) <= held, { what: 'their withdrawal' });
    release();
    await untilSettled(host, ids);
    for (const id of ids) {
      expect((await attemptsOf(host, id)).filter(({ outcomes }) => outcomes !== null)).toHaveLength(1);
    }
  });

  it('has no attempt yet: a dead worker leaves unknown attempts only for emails on the wire', async () => {
    const occupied = await occupyConnections();
    const waiting = [await post(host, 'one@third.test'), await post(host, 'two@third.test')];
    await untilTaken(waiting);
    await host.kill();
    release();
    sink.reset();
    await host.start();
    await untilSettled(host, [...occupied, ...waiting], { timeout: host.seconds(20) });
    const unknown = await host.query<{ id: string }>(
      'SELECT DISTINCT email_id AS id FROM nestjs_emails.attempts WHERE unknown',
    );
    expect(unknown.map(({ id }) => id).sort()).toEqual([...occupied].sort());
  });

  it('is released when the worker stops, without an attempt', async () => {
    const occupied = await occupyConnections();
    const waiting = [await post(host, 'one@fourth.test'), await post(host, 'two@fourth.test')];
    await untilTaken(waiting);
    const stopped = host.stop();
    await eventually(async () => {
      const due = await host.query<{ email_id: string }>(
        `SELECT email_id FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND due_at < now() + interval '2 seconds'`,
        [waiting],
      );
      expect(due).toHaveLength(waiting.length);
    });
    expect(sink.offered).toHaveLength(0);
    release();
    await stopped;
    await host.start();
    await untilSettled(host, [...occupied, ...waiting]);
    expect(sink.messages).toHaveLength(CONNECTIONS + waiting.length);
  });
});
