import { type ConnectedQueue, isOnRedis } from './queue-backend.check.js';

const NO_TABLES =
  "EmailsModule: the PostgreSQL of its queues has not the tables of this BullMQ. Run BullMQ's `runMigrations(client)` before the start.";

const AWAY = 'EmailsModule: the PostgreSQL of its queues cannot be reached. Start again when it can.';

/** A queue or a worker, whose backend says when it has looked at its place. */
interface AwaitedQueue extends ConnectedQueue {
  waitUntilReady?(): Promise<unknown>;
}

/**
 * Waits until a queue or a worker has looked at its tables in PostgreSQL. BullMQ does so once: one that failed would fail
 * for as long as the process lives, however soon the database is back. Resolves at once for a Redis, which may come later.
 *
 * @throws Error that says what to do
 */
export async function awaitPostgres(queue: AwaitedQueue): Promise<void> {
  if (isOnRedis(queue)) return;
  try {
    await queue.waitUntilReady?.();
  } catch (cause) {
    throw new Error(lacksTables(cause) ? NO_TABLES : AWAY, { cause });
  }
}

/** By name, since BullMQ 5 has no such errors that could be imported. */
function lacksTables(error: unknown): boolean {
  return error instanceof Error && ['SchemaMigrationRequiredError', 'SchemaVersionMismatchError'].includes(error.name);
}
