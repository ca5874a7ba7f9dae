/** Facts of a queue that BullMQ exposes; 5 has one backend and does not name it. A test's own queue may have none. */
export interface ConnectedQueue {
  readonly opts?: { readonly connection?: unknown };
  getBackend?(): object;
}

/**
 * Refuses a queue that was given a PostgreSQL and took it for a Redis: it would look for one on localhost, and keep its
 * jobs there if it exists. BullMQ 5 does so with any connection, BullMQ 6 when the PostgreSQL backend is not
 * registered.
 *
 * @throws Error with the remedy
 */
export function checkBackend(queue: ConnectedQueue): void {
  if (!isPostgres(queue.opts?.connection) || !isOnRedis(queue)) return;
  throw new Error(
    'BullModule was given the connection of a PostgreSQL, which its queues take for a Redis. A queue in PostgreSQL needs ' +
      (queue.getBackend ? '' : 'BullMQ 6, and ') +
      '`setDefaultBackendFactory(createPostgresBackend)` before the modules are made. For Redis give it ' +
      "`{ connection: { url: 'redis://…' } }`.",
  );
}

function isPostgres(connection: unknown): boolean {
  if (typeof connection === 'string') return /^postgres(ql)?:/i.test(connection);
  if (typeof connection !== 'object' || connection === null) return false;
  if ('query' in connection || 'connectionString' in connection) return true;
  return 'url' in connection && isPostgres(connection.url);
}

/** True also for BullMQ 5, which has only Redis, and for a queue of a test. */
export function isOnRedis(queue: ConnectedQueue): boolean {
  const backend = queue.getBackend?.();
  return !backend || 'client' in backend;
}
