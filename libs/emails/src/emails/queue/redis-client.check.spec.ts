import { jest } from '@jest/globals';
import { PostgresQueueBackend, RedisConnection, RedisQueueBackend } from 'bullmq';
import { checkRedisClient } from './redis-client.check.js';

const missing = async () => Promise.reject(Object.assign(new Error('Not found.'), { code: 'ERR_MODULE_NOT_FOUND' }));

const on = ({ prototype }: { prototype: object }, connection: object = { url: 'redis://localhost' }) => ({
  opts: { connection },
  getBackend: () => Object.create(prototype),
});

describe('checkRedisClient', () => {
  it('names the missing package when BullMQ has no client for a Redis', async () => {
    await expect(checkRedisClient(on(RedisQueueBackend), missing)).rejects.toThrow('`npm install ioredis`');
  });

  it('accepts an installed client', async () => {
    await checkRedisClient(on(RedisQueueBackend));
  });

  it('needs none for a PostgreSQL, for BullMQ 5, and for a client of the host', async () => {
    const load = jest.fn(missing);
    await checkRedisClient(on(PostgresQueueBackend), load);
    await checkRedisClient({ opts: { connection: { url: 'redis://localhost' } } }, load);
    await checkRedisClient(on(RedisQueueBackend, { connect() {}, disconnect() {}, duplicate() {} }), load);
    expect(load).not.toHaveBeenCalled();
  });

  it('needs none where the host creates clients of another kind', async () => {
    RedisConnection.clientFactory = () => ({}) as never;
    try {
      await checkRedisClient(on(RedisQueueBackend), missing);
    } finally {
      delete RedisConnection.clientFactory;
    }
  });
});
