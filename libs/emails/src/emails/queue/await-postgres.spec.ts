import { PostgresQueueBackend, RedisQueueBackend } from 'bullmq';
import { awaitPostgres } from './await-postgres.js';

const on = ({ prototype }: { prototype: object }, waitUntilReady: () => Promise<unknown>) => ({
  getBackend: () => Object.create(prototype),
  waitUntilReady,
});
const failing = (name: string) => () => Promise.reject(Object.assign(new Error('secret'), { name }));

describe('awaitPostgres', () => {
  it('resolves when the queue is ready, and not before', async () => {
    let ready = () => {};
    let over = false;
    const queue = on(PostgresQueueBackend, () => new Promise<void>((resolve) => (ready = resolve)));
    const waiting = awaitPostgres(queue).then(() => (over = true));
    await new Promise(setImmediate);
    expect(over).toBe(false);
    ready();
    await waiting;
  });

  it('reports that the database cannot be reached', async () => {
    await expect(awaitPostgres(on(PostgresQueueBackend, failing('Error')))).rejects.toThrow(/cannot be reached/);
  });

  it.each(['SchemaMigrationRequiredError', 'SchemaVersionMismatchError'])(
    'reports missing tables: %s',
    async (name) => {
      await expect(awaitPostgres(on(PostgresQueueBackend, failing(name)))).rejects.toThrow(
        /Run BullMQ's `runMigrations/,
      );
    },
  );

  it('does not wait for a Redis, nor for a queue of a test', async () => {
    await awaitPostgres(on(RedisQueueBackend, () => new Promise(() => {})));
    await awaitPostgres({});
  });
});
