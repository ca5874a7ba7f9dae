import type { NewAttempt } from '../storage/deliver/delivery.repository.js';
import { UNPAUSED_HOLDS } from '../storage/deliver/unpaused.js';

/** Answers that came too late, before the email is put off. */
const MAX_LATE = 3;

/**
 * Writes about attempts. Each resolves with the time before its statement was sent, in milliseconds of `performance.now()`; undefined:
 * the lease is lost, a row is locked, or the email is paused.
 */
export interface AttemptWrites {
  /** Writes an attempt. */
  add(attempt: NewAttempt): Promise<number | undefined>;
  /** Asks the same of an attempt that is written already. */
  check(attempt: NewAttempt): Promise<number | undefined>;
  /** See `Batcher`. */
  expect<T>(work: () => Promise<T>): Promise<T>;
}

/** The attempt of a run. It is written once, and it says only for a short time that the email is not paused. */
export class RunAttempt {
  /** The time before the last answer was asked for; undefined while no attempt is known to be written. */
  private unpausedAt: number | undefined;
  private late = 0;

  constructor(private readonly writes: AttemptWrites) {}

  /** True while the message may begin. */
  get holds(): boolean {
    return this.unpausedAt !== undefined && performance.now() - this.unpausedAt <= UNPAUSED_HOLDS;
  }

  /**
   * Writes the attempt, or asks about it again, unless it holds. False when it is not known to be written in time, for any
   * reason. Then nothing may be sent, and the end of the lease closes the attempt if there is one.
   */
  async open(attempt: NewAttempt): Promise<boolean> {
    if (this.holds) return true;
    if (this.late >= MAX_LATE) return false;
    const asked = this.unpausedAt === undefined ? this.writes.add(attempt) : this.writes.check(attempt);
    const askedAt = await asked.catch(() => undefined);
    if (askedAt === undefined) return false;
    this.unpausedAt = askedAt;
    if (!this.holds) this.late++;
    return true;
  }
}
