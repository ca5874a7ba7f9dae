import { Redis } from 'ioredis';
import pg from 'pg';
import { until } from '../support/basics/wait-for.js';
import { prepareHost, type RunningHost, startHost } from '../support/hosts/host.js';
import { SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { listed, post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { type RedisServer, startRedis } from '../support/servers/redis.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Time to continued delivery after the queue is back. Seconds. */
const RETURN = 5;

let sink: SmtpSink;

beforeAll(async () => {
  sink = await SmtpSink.start();
});

beforeEach(() => sink.reset());

/** Posts one after the other. The queue comes back only when all are answered: a 200 may not wait for it. */
async function postMeanwhile(host: RunningHost, count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) ids.push(await post(host, `to${n}@to.test`));
  return ids;
}

/** Reschedules and cancels an email: neither needs the queue. */
async function changeMeanwhile(host: RunningHost): Promise<void> {
  const id = await post(host, 'never@to.test', { scheduled_at: '2096-11-21T05:26:01Z' });
  const body = { scheduled_at: '2097-11-21T05:26:01Z' };
  expect((await host.request('PATCH', `/emails/${id}`, { body })).status).toBe(200);
  expect((await host.request('POST', `/emails/${id}/cancel`)).status).toBe(200);
  expect((await listed(host, id)).last_event).toBe('canceled');
}

async function untilDelivered(host: RunningHost, ids: string[]): Promise<void> {
  await untilSettled(host, ids, { timeout: host.seconds(RETURN) });
  for (const id of ids) await untilShown(host, id, 'delivered');
  expect(sink.messages).toHaveLength(ids.length);
}

if (queueKind() === 'redis') {
  describe('Redis', () => {
    let redis: Awaited<ReturnType<typeof startRedis>>;
    let proxy: TcpProxy;
    let host: RunningHost;

    beforeAll(async () => {
      redis = await startRedis();
      proxy = await TcpProxy.start('127.0.0.1', redis.port);
      host = await startHost({ smtp: sink, redisUrl: redis.url, redisProxy: proxy, env: { SMTP_HOP: 'final' } });
    });

    afterEach(async () => {
      await redis.start();
      await proxy.restore();
    });

    it('that cannot be reached delays no request, and mail is sent when it is back', async () => {
      await proxy.refuse();
      const ids = await postMeanwhile(host, 5);
      for (const id of ids) expect((await listed(host, id)).last_event).toBe('queued');
      await changeMeanwhile(host);
      expect((await host.request('GET', '/health/live')).status).toBe(200);
      expect(await host.request('GET', '/health/ready')).toMatchObject({
        status: 200,
        body: { status: 'degraded', checks: { queue: 'Redis does not answer' } },
      });
      await proxy.restore();
      await untilDelivered(host, ids);
      // Logged once for repeated attempts.
      expect(host.output.match(/The queue cannot be reached/g)).toHaveLength(1);
    });

    it('that comes back empty loses no email', async () => {
      const later = await post(host, 'later@to.test', {
        scheduled_at: new Date(Date.now() + host.seconds(2)).toISOString(),
      });
      await redis.stop('SIGKILL');
      const ids = await postMeanwhile(host, 3);
      await redis.start();
      await untilDelivered(host, [...ids, later]);
    });

    it('that is out of memory delays no request', async () => {
      const admin = new Redis(redis.url);
      await admin.config('SET', 'maxmemory', '1');
      const ids = await postMeanwhile(host, 3);
      await admin.config('SET', 'maxmemory', '0');
      admin.disconnect();
      await untilDelivered(host, ids);
    });

    it('that is absent at the start does not prevent acceptance', async () => {
      await redis.stop();
      const early = await prepareHost({ smtp: sink, redisUrl: redis.url, env: { SMTP_HOP: 'final' } });
      await early.start();
      const ids = await postMeanwhile(early, 3);
      await redis.start();
      await untilDelivered(early, ids);
      expect(await early.stop()).toBe(0);
    });

    it('that is away does not prevent a stop of the host', async () => {
      await proxy.refuse();
      await postMeanwhile(host, 1);
      // A host that reaches its limit ends with 1.
      expect(await host.stop()).toBe(0);
      expect(host.output).not.toContain('Stopping took too long');
      await proxy.restore();
      await host.start();
    });
  });

  describe("the end of a stranger's host, whose connections to Redis are BullMQ's own", () => {
    /** After `shutdownTimeout`, the connections are cut, which takes ioredis 2 s where Redis does not answer. Seconds. */
    const CUT = 4;

    const prepare = (redisUrl: string) =>
      SmallHost.prepare(sink, { delivery: { shutdownTimeout: 1_000 } }, undefined, [], { redisUrl });

    async function expectEnd(host: SmallHost): Promise<void> {
      await post(host, 'to@to.test');
      const begun = performance.now();
      // Nest ends a process by the signal that it was sent.
      expect(await host.stop()).toBeNull();
      expect(performance.now() - begun).toBeLessThan(1_000 + host.seconds(CUT));
    }

    it.each([
      ['stopped', (redis: RedisServer) => redis.stop('SIGKILL')],
      ['frozen', async (redis: RedisServer) => redis.freeze()],
    ])('comes in time when Redis is %s', async (_, fail) => {
      const redis = await startRedis();
      const host = await prepare(redis.url);
      await host.start();
      await untilShown(host, await post(host, 'to@to.test'), 'sent');
      await fail(redis);
      await expectEnd(host);
    });

    it('comes in time when Redis was never available', async () => {
      const host = await prepare('redis://127.0.0.1:1');
      await host.start();
      await expectEnd(host);
    });
  });
} else {
  describe('a queue in PostgreSQL', () => {
    it('that does not answer delays no request, and mail is sent when it does', async () => {
      const host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final' } });
      const blocker = new pg.Client(host.databaseUrl);
      await blocker.connect();
      await blocker.query('BEGIN; LOCK TABLE bullmq.job IN ACCESS EXCLUSIVE MODE');
      const ids = await postMeanwhile(host, 5);
      await until(async () => {
        const blocked = await host.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return blocked.length > 0;
      });
      await changeMeanwhile(host);
      expect(sink.messages).toHaveLength(0);
      await blocker.query('ROLLBACK');
      await blocker.end();
      await untilDelivered(host, ids);
    });
  });
}
