import type { DataSource, EntityManager } from 'typeorm';
import { ApiError } from '../errors/api-error.js';
import { isLockTimeout } from '../errors/database-errors.js';

/**
 * A transaction of a request, with a short timeout of waits for locks, and of a process that hangs.
 *
 * @param lockTimeout milliseconds
 * @throws ApiError 503 when a lock is held for longer
 */
export async function transactBounded<T>(
  dataSource: DataSource,
  lockTimeout: number,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query(
        "SELECT set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', '5s', true)",
        [String(lockTimeout)],
      );
      return work(manager);
    });
  } catch (error) {
    throw isLockTimeout(error) ? ApiError.locked() : error;
  }
}
