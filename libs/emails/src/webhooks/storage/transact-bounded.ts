import type { DataSource, EntityManager } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { isLockTimeout } from '../../shared/errors/database-errors.js';

/** For how long locks are waited for, and kept by a process that stands still. */
const BOUNDS = `SELECT set_config('lock_timeout', '2s', true), set_config('idle_in_transaction_session_timeout', '5s', true)`;

/** A transaction of a request, which waits for nobody for long. @throws ApiError 503 when somebody holds what it needs */
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
