import { createPostgresBackend, createRedisBackend, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterFile } from '../support/basics/cleanup.js';
import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { attemptsOf, eventTypes, post, queueNameOf, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let sink: SmtpSink;
let host: RunningHost;
let queue: Queue;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final', RETRY_SCHEDULE: '1500ms' } });
  queue = await openQueue(host);
  afterFile(() => queue.close());
});

beforeEach(() => sink.reset());

/** The queue of the host, for foreign changes. */
async function openQueue(host: RunningHost): Promise<Queue> {
  const { redisUrl, databaseUrl } = host;
  const connection = redisUrl ? { url: redisUrl } : { connectionString: databaseUrl, max: 1 };
  const backend = redisUrl ? createRedisBackend : createPostgresBackend;
  return new Queue(
    await queueNameOf(host),
    { connection: connection as never },
    backend as typeof createRedisBackend,
  ) as Queue;
}

async function emptyTheQueue(): Promise<void> {
  if (queueKind() === 'redis') {
    const redis = new Redis(host.redisUrl!);
    await redis.flushdb();
    redis.disconnect();
    return;
  }
  const tables = await host.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'bullmq' AND tablename <> 'migration'`,
  );
  await host.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
}

const inSeconds = (wait: number) => new Date(Date.now() + host.seconds(wait)).toISOString();

describe('an emptied queue', () => {
  it('loses no scheduled or deferred email: all are sent on time', async () => {
    sink.onRcpt = (address, count) => (address.startsWith('put-off@') && count === 1 ? '451 4.7.1 later' : undefined);
    const due = Date.now() + host.seconds(2);
    const scheduled = await post(host, 'later@to.test', { scheduled_at: new Date(due).toISOString() });
    const putOff = await post(host, 'put-off@other.test');
    await untilShown(host, putOff, 'delivery_delayed');
    // Its worker may put it back into the queue a moment after it has recorded the attempt.
    await eventually(async () => {
      await emptyTheQueue();
      expect(await queue.getJobCountByTypes('delayed', 'waiting', 'active')).toBe(0);
    });

    // The sweep polls every second for emails that were due a second ago.
    for (const id of [scheduled, putOff]) await untilShown(host, id, 'delivered');
    expect(sink.messages).toHaveLength(2);
    for (const { receivedAt } of sink.messages) expect(receivedAt.getTime()).toBeLessThan(due + host.seconds(3));
    const [{ receivedAt }] = sink.messages.filter(({ envelope }) => envelope.to[0] === 'later@to.test') as [
      SmtpSink['messages'][number],
    ];
    expect(receivedAt.getTime()).toBeGreaterThanOrEqual(due);
  });
});

describe('a job', () => {
  it('that is added ten times sends one copy', async () => {
    const id = await post(host, 'to@to.test', { scheduled_at: inSeconds(1) });
    await queue.addBulk(
      Array.from({ length: 10 }, (_, n) => ({
        name: 'deliver',
        data: { emailId: id },
        opts: { jobId: `again-${n}-${id}`, removeOnComplete: true },
      })),
    );
    await untilShown(host, id, 'delivered');
    await untilQuiet();
    expect(sink.messages).toHaveLength(1);
    expect(await attemptsOf(host, id)).toHaveLength(1);
  });

  it('for an email that was delivered, or never existed, does nothing', async () => {
    const id = await post(host, 'to@to.test');
    await untilShown(host, id, 'delivered');
    for (const emailId of [id, '01890000-0000-7000-8000-000000000000', 'nonsense']) {
      await queue.add('deliver', { emailId }, { jobId: `odd-${emailId}`, removeOnComplete: true, removeOnFail: true });
    }
    await untilQuiet();
    expect(sink.messages).toHaveLength(1);
    await untilShown(host, await post(host, 'next@to.test'), 'delivered');
  });

  async function untilQuiet(): Promise<void> {
    while ((await queue.getJobCountByTypes('delayed', 'waiting', 'active')) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});

describe('two workers', () => {
  it('share the emails: one copy of each, in one attempt', async () => {
    const second = await startHost({ smtp: sink, role: 'worker', beside: host, env: { SMTP_HOP: 'final' } });
    const ids = await Promise.all(
      Array.from({ length: 100 }, (_, n) => post(host, `to${n}@d${n % 9}.test`, { scheduled_at: inSeconds(1) })),
    );
    await queue.addBulk(
      ids.map((emailId) => ({
        name: 'deliver',
        data: { emailId },
        opts: { jobId: `twin-${emailId}`, removeOnComplete: true },
      })),
    );
    await untilSettled(host, ids);
    expect(sink.messages).toHaveLength(100);
    // By delivery's own count.
    const counts = await host.query('SELECT attempts FROM nestjs_emails.deliveries WHERE email_id = ANY($1)', [ids]);
    expect(counts).toEqual(Array(100).fill({ attempts: 1 }));
    for (const id of ids) {
      // An attempt that was written ahead, and whose slot came too late on a busy machine, sent nothing.
      const attempts = (await attemptsOf(host, id)).filter(({ outcomes, unknown }) => outcomes !== null || unknown);
      expect(attempts).toHaveLength(1);
      // A busy machine may be so late with its request that the email was due at once.
      const events = (await eventTypes(host, id)).filter((type) => type !== 'scheduled');
      expect(events).toEqual(['queued', 'sent', 'delivered']);
    }
    expect(await second.stop()).toBe(0);
  });
});

describe('a clock that is wrong', () => {
  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('and runs an hour %s in the process that accepts changes nothing', async (_, offset) => {
    const code = `Date = class extends Date { constructor(...a) { a.length ? super(...a) : super(Date.now()) } static now() { return super.now() + ${offset} } }`;
    const api = await startHost({
      role: 'api',
      beside: host,
      env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` },
    });
    const due = Date.now() + host.seconds(1.5);
    const id = await post(api, 'to@to.test', { scheduled_at: new Date(due).toISOString() });
    await untilShown(host, id, 'delivered', { timeout: host.seconds(6) });
    expect(sink.messages.map(({ receivedAt }) => receivedAt.getTime() >= due)).toEqual([true]);
    await api.stop();
  });
});
