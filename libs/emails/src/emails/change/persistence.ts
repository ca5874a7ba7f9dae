import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../shared/errors/api-error.js';
import {
  isDatabaseUnavailable,
  isLockTimeout,
  isPassing,
  OutcomeUnknownError,
} from '../../shared/errors/database-errors.js';
import { LIMITS } from '../../shared/limits.js';
import { inTime } from '../../shared/work/in-time.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import { EMAIL_LIMITS } from '../limits.js';

/** Default timeout of one attempt, longer than the lock timeout. Milliseconds. */
const ONE_TRY = 5_000;
/** Delay between two attempts. Milliseconds. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;

export interface Made<Result> {
  result: Exclude<Result, { kind: 'locked' }>;
  /** True if an earlier attempt may have made the change as well. */
  isRepeated: boolean;
}

/**
 * Makes idempotent changes, and repeats them while the email is locked or after a connection was lost at the commit. No
 * connection is held in between.
 */
export class Persistence {
  private readonly connections = new Semaphore(EMAIL_LIMITS.changes.max);

  /** @param patience milliseconds for all attempts of one change */
  constructor(private readonly patience = 5_000) {}

  /**
   * @param oneTry milliseconds for one attempt. Default: 5,000
   * @throws ApiError 503 when the email is locked for too long, or it is not known whether the change was made
   */
  async make<Result extends { kind: string }>(change: () => Promise<Result>, oneTry = ONE_TRY): Promise<Made<Result>> {
    let left = this.patience;
    let isRepeated = false;
    for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      if (!(await this.connections.acquire(LIMITS.wait.max)))
        throw isRepeated ? ApiError.changeUnknown() : ApiError.busy();
      const started = performance.now();
      try {
        const result = await this.try(change, oneTry);
        if (result.kind !== 'locked') return { result: result as Made<Result>['result'], isRepeated };
      } catch (error) {
        isRepeated ||= error instanceof OutcomeUnknownError;
        if (!isRepeated && !isOthersFault(error)) throw error;
      }
      left -= performance.now() - started + wait;
      if (left <= 0) throw isRepeated ? ApiError.changeUnknown() : ApiError.locked();
      await pause(wait);
    }
  }

  /** An attempt that times out keeps its connection until it is answered. */
  private try<Result>(change: () => Promise<Result>, timeout: number): Promise<Result> {
    const made = change().finally(() => this.connections.release());
    return inTime(made, timeout, () => {
      throw new OutcomeUnknownError({ cause: new Error('No answer.') });
    });
  }
}

/** True if a lock of another transaction caused it, which may be gone a moment later. */
function isOthersFault(error: unknown): boolean {
  return isLockTimeout(error) || (isPassing(error) && !isDatabaseUnavailable(error));
}
