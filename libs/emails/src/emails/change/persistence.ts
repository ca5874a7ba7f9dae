import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../shared/errors/api-error.js';
import {
  isDatabaseUnavailable,
  isLockTimeout,
  isPassing,
  OutcomeUnknownError,
} from '../../shared/errors/database-errors.js';
import { inTime } from '../../shared/work/in-time.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { ChangeResult } from '../storage/change.repository.js';

/** Connections on which changes are made at the same time: the others are for those who send and read. */
const CONNECTIONS = 4;
/** Milliseconds in line for one of them, without any of the database's. */
const IN_LINE = 30_000;
/** Milliseconds for one try: more than it waits for locks. */
const ONE_TRY = 5_000;
/** Milliseconds between two tries. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;

export interface Made {
  result: Exclude<ChangeResult, { kind: 'locked' }>;
  /** Whether an earlier try may have made the change as well. */
  isRepeated: boolean;
}

/**
 * Makes changes that may be made twice: again and again while somebody has the email locked, or the connection was lost at
 * the commit. No connection is kept in between.
 */
export class Persistence {
  private readonly connections = new Semaphore(CONNECTIONS);

  /** @param patience milliseconds for all tries of one change */
  constructor(private readonly patience = 5_000) {}

  /** @throws ApiError 503 when the email is locked for too long, or it is not known whether the change was made */
  async make(change: () => Promise<ChangeResult>): Promise<Made> {
    let left = this.patience;
    let isRepeated = false;
    for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      if (!(await this.connections.acquire(1, IN_LINE))) throw isRepeated ? ApiError.changeUnknown() : ApiError.busy();
      const started = performance.now();
      try {
        const result = await this.try(change);
        if (result.kind !== 'locked') return { result, isRepeated };
      } catch (error) {
        isRepeated ||= error instanceof OutcomeUnknownError;
        if (!isRepeated && !isOthersFault(error)) throw error;
      }
      left -= performance.now() - started + wait;
      if (left <= 0) throw isRepeated ? ApiError.changeUnknown() : ApiError.locked();
      await pause(wait);
    }
  }

  /** What does not answer in time has its connection until it does. */
  private try(change: () => Promise<ChangeResult>): Promise<ChangeResult> {
    const made = change().finally(() => this.connections.release());
    return inTime(made, ONE_TRY, () => {
      throw new OutcomeUnknownError({ cause: new Error('No answer.') });
    });
  }
}

/** Whether somebody else was in the way, who may be gone a moment later. */
function isOthersFault(error: unknown): boolean {
  return isLockTimeout(error) || (isPassing(error) && !isDatabaseUnavailable(error));
}
