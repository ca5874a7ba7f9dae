import type { DataSource, EntityManager } from 'typeorm';
import { transactBounded as transact } from '../../shared/rows/transact-bounded.js';
import { WEBHOOK_LIMITS } from '../limits.js';

/** A transaction of a request, with a short lock timeout. @throws ApiError 503 when a lock is held for longer */
export function transactBounded<T>(dataSource: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  return transact(dataSource, WEBHOOK_LIMITS.lock.max, work);
}
