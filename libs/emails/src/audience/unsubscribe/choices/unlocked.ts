import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { ApiError } from '../../../shared/errors/api-error.js';
import { isDatabaseUnavailable, isLockTimeout, isPassing } from '../../../shared/errors/database-errors.js';
import { FairSemaphore } from '../../../shared/work/fair-semaphore.js';
import { AUDIENCE_LIMITS } from '../../limits.js';

/** Time for which one attempt waits for locks of others. Milliseconds. */
const LOCK_TIMEOUT = 100;
/** Delay between two attempts, and the time for all of them. Milliseconds. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;
const PATIENCE = 5_000;

/**
 * Runs changes that anybody with a link may ask for. A locked row holds up the changes of its own reader alone: between
 * attempts neither a connection nor a turn is held, and one account has at most half of the turns.
 */
export class Unlocked {
  private readonly turns = new FairSemaphore(AUDIENCE_LIMITS.unsubscribes.max);

  constructor(
    private readonly dataSource: DataSource,
    private readonly patience = PATIENCE,
  ) {}

  /**
   * Makes an idempotent change in a transaction, and repeats it while others lock its rows.
   *
   * @throws ApiError 503 when they do so for too long
   */
  async change<Result>(accountId: string, work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    const signal = AbortSignal.timeout(this.patience);
    for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      const release = await this.turn(accountId, signal);
      try {
        return await this.dataSource.transaction('READ COMMITTED', async (manager) => {
          await manager.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
          return work(manager);
        });
      } catch (error) {
        if (!isOthersFault(error)) throw error;
        if (signal.aborted) throw ApiError.locked();
      } finally {
        release();
      }
      await pause(wait);
    }
  }

  private async turn(accountId: string, signal: AbortSignal): Promise<() => void> {
    try {
      return await this.turns.acquire(accountId, signal);
    } catch {
      throw ApiError.busy();
    }
  }
}

/** True if a lock or a conflict of another transaction caused it, which may be gone a moment later. */
function isOthersFault(error: unknown): boolean {
  return isLockTimeout(error) || (isPassing(error) && !isDatabaseUnavailable(error));
}
