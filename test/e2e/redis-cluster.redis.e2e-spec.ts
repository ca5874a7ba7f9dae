import { Redis } from 'ioredis';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { type RedisCluster, startRedisCluster } from '../support/servers/redis-cluster.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const BODY = { from: 'Sender <sender@from.test>', to: 'to@to.test', subject: 'Hello', text: 'Hello' };

let cluster: RedisCluster;
let sink: SmtpSink;
let api: RunningHost;
let worker: RunningHost;
let tokens: string[];

beforeAll(async () => {
  cluster = await startRedisCluster();
  sink = await SmtpSink.start();
  const env = { SMTP_HOP: 'final', QUEUE_SHARDS: '6', RATE_LIMIT: '1000' };
  api = await startHost({ role: 'api', redisUrl: cluster.urls, smtp: sink, env });
  worker = await startHost({ role: 'worker', beside: api, smtp: sink, env });
  tokens = [api.token];
  for (const name of ['Ann', 'Bob', 'Eve', 'Mia', 'Tom']) tokens.push((await api.account(name)).token);
});

/** Keys of each node. */
async function keys(): Promise<string[][]> {
  return Promise.all(
    cluster.nodes.map(async ({ url }) => {
      const redis = new Redis(url);
      try {
        return await redis.keys('*');
      } finally {
        redis.disconnect();
      }
    }),
  );
}

async function postFromAll(): Promise<string[]> {
  const answers = await Promise.all(
    tokens.map((token) => api.request<{ id: string }>('POST', '/emails', { token, body: BODY })),
  );
  expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
  return answers.map(({ body }) => body.id);
}

describe('a queue on a Redis Cluster of three nodes', () => {
  it('delivers at once, and at the scheduled time', async () => {
    await untilSettled(api, await postFromAll());
    const soon = await post(api, 'later@to.test', {
      scheduled_at: new Date(Date.now() + api.seconds(2)).toISOString(),
    });
    await untilShown(api, soon, 'delivered');
  });

  it('keeps each queue on one node, and queues on several', async () => {
    const byNode = (await keys()).map((all) => new Set(all.map((key) => /\{emails[^}]*\}/.exec(key)?.[0] ?? key)));
    const queues = byNode.flatMap((names) => [...names].filter((name) => name.startsWith('{')));
    expect(new Set(queues).size).toBe(6);
    expect(queues).toHaveLength(6);
    expect(byNode.filter((names) => names.size > 0).length).toBeGreaterThan(1);
  });

  it('accepts while a node is away, delivers the emails of the others, and the rest when it is back', async () => {
    const [node] = cluster.nodes;
    await node?.stop('SIGKILL');
    const ids = await postFromAll();
    await node?.start();
    await untilSettled(api, ids);
    expect(new Set(sink.messages.map(({ raw }) => /^message-id: (.+)$/im.exec(raw.toString())?.[1])).size).toBe(
      sink.messages.length,
    );
  });

  it('lets its processes stop gracefully', async () => {
    expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);
  });
});
