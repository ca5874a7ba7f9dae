import { PostgresQueueBackend, RedisQueueBackend } from 'bullmq';
import { checkBackend } from './queue-backend.check.js';

const url = 'postgres://app:app@localhost:1/app';
const asked: unknown[] = [{ connectionString: url }, { url }, url, { connect() {}, query() {}, end() {} }];

describe('checkBackend', () => {
  it.each(asked)('refuses a PostgreSQL that BullMQ 5 takes for a Redis: %j', (connection) => {
    expect(() => checkBackend({ opts: { connection } })).toThrow(/needs BullMQ 6, and `setDefault/);
  });

  it('refuses one that BullMQ 6 does not know, and accepts it when it does', () => {
    const on = ({ prototype }: { prototype: object }) => ({
      opts: { connection: { connectionString: url } },
      getBackend: () => Object.create(prototype),
    });
    expect(() => checkBackend(on(RedisQueueBackend))).toThrow(/needs `setDefault/);
    expect(() => checkBackend(on(PostgresQueueBackend))).not.toThrow();
  });

  it('accepts a queue of a test', () => {
    expect(() => checkBackend({})).not.toThrow();
  });

  it.each([
    undefined,
    {},
    { url: 'redis://localhost' },
    { host: 'localhost', port: 6379 },
    { status: 'ready', connect() {} },
  ])('accepts a Redis: %j', (connection) => {
    expect(() => checkBackend({ opts: { connection } })).not.toThrow();
  });
});
