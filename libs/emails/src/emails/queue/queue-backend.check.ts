/** What BullMQ tells of a queue; 5 has one backend and does not speak of it. A test's own queue may tell nothing. */
export interface ConnectedQueue {
  readonly opts?: { readonly connection?: unknown };
  getBackend?(): object;
}

/**
 * Refuses a queue that was given a PostgreSQL and took it for a Redis: it would look for one on localhost, and keep its
 * jobs there if there is one. BullMQ 5 does so with any connection, BullMQ 6 when nobody told it of the other backend.
 *
 * @throws Error that says what to change
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

/** Also for BullMQ 5, which knows nothing else, and for a queue of a test. */
export function isOnRedis(queue: ConnectedQueue): boolean {
  const backend = queue.getBackend?.();
  return !backend || 'client' in backend;
}
