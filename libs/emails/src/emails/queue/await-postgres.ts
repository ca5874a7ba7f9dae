import { type ConnectedQueue, isOnRedis } from './queue-backend.check.js';

const NO_TABLES =
  "EmailsModule: the PostgreSQL of its queues has not the tables of this BullMQ. Run BullMQ's `runMigrations(client)` before the start.";

const AWAY = 'EmailsModule: the PostgreSQL of its queues cannot be reached. Start again when it can.';

/** A queue or a worker whose backend reports that it has checked its tables. */
interface AwaitedQueue extends ConnectedQueue {
  waitUntilReady?(): Promise<unknown>;
}

/**
 * Waits until a queue or a worker has checked its tables in PostgreSQL. BullMQ checks once: after a failure it would
 * fail for the life of the process, even when the database is back. Resolves at once for a Redis, which may come later.
 *
 * @throws Error with the remedy
 */
export async function awaitPostgres(queue: AwaitedQueue): Promise<void> {
  if (isOnRedis(queue)) return;
  try {
    await queue.waitUntilReady?.();
  } catch (cause) {
    throw new Error(lacksTables(cause) ? NO_TABLES : AWAY, { cause });
  }
}

/** Compares names, because BullMQ 5 exports no such errors. */
function lacksTables(error: unknown): boolean {
  return error instanceof Error && ['SchemaMigrationRequiredError', 'SchemaVersionMismatchError'].includes(error.name);
}
