import type { DataSource, EntityManager } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { isLockTimeout } from '../../shared/errors/database-errors.js';
import { WEBHOOK_LIMITS } from '../limits.js';

/** Timeout of a wait for locks, and of a transaction in a process that hangs. */
const BOUNDS = `SELECT set_config('lock_timeout', '${WEBHOOK_LIMITS.lock.max}', true), set_config('idle_in_transaction_session_timeout', '5s', true)`;

/** A transaction of a request, with a short lock timeout. @throws ApiError 503 when a lock is held for longer */
export async function transactBounded<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query(BOUNDS);
      return work(manager);
    });
  } catch (error) {
    throw isLockTimeout(error) ? ApiError.locked() : error;
  }
}
