import type { NewAttempt } from '../storage/deliver/delivery.repository.js';
import { UNPAUSED_HOLDS } from '../storage/deliver/unpaused.js';

/** Answers that came too late, before the email is put off. */
const MAX_LATE = 3;

/**
 * Writes about attempts. The first two resolve with the time before their statement was sent, in milliseconds of
 * `performance.now()`; undefined: the lease is lost, a row is locked, or the email is paused.
 */
export interface AttemptWrites {
  /** Writes an attempt. */
  add(attempt: NewAttempt): Promise<number | undefined>;
  /** Asks the same of an attempt that is written already. */
  check(attempt: NewAttempt): Promise<number | undefined>;
  /** Deletes an attempt whose message has not begun. False: a row is locked, or it is not there. */
  withdraw(attempt: NewAttempt): Promise<boolean>;
  /** See `Batcher`. */
  expect<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The attempt of a run. It says only for a short time that the email is not paused. If the message has not begun by then, the
 * attempt is withdrawn and later written again: it would count as unknown if this process died meanwhile.
 */
export class RunAttempt {
  private isWritten = false;
  /** True if it may be written or not. */
  private isInDoubt = false;
  /** The time before the last answer was asked for. */
  private unpausedAt = Number.NEGATIVE_INFINITY;
  private late = 0;
  private timer: NodeJS.Timeout | undefined;
  private withdrawing: Promise<void> | undefined;

  constructor(private readonly writes: AttemptWrites) {}

  /** True while the message may begin. */
  get holds(): boolean {
    return performance.now() - this.unpausedAt <= UNPAUSED_HOLDS;
  }

  /**
   * Writes the attempt, or asks about it again, unless it holds. False when it is not known to be written in time, for any
   * reason. Then nothing may be sent, and the end of the lease closes the attempt if there is one.
   */
  async open(attempt: NewAttempt): Promise<boolean> {
    if (this.holds) return true;
    // No attempt may be withdrawn while it is asked about: its message may begin by the answer.
    clearTimeout(this.timer);
    await this.withdrawing;
    if (this.late >= MAX_LATE || this.isInDoubt) return false;
    const asked = this.isWritten ? this.writes.check(attempt) : this.writes.add(attempt);
    const askedAt = await asked.catch(() => undefined);
    if (askedAt === undefined) return false;
    this.isWritten = true;
    this.unpausedAt = askedAt;
    if (!this.holds) this.late++;
    this.withdrawLater(attempt);
    return true;
  }

  /** The message begins, or the run ends. */
  settle(): void {
    clearTimeout(this.timer);
  }

  private withdrawLater(attempt: NewAttempt): void {
    const left = this.unpausedAt + UNPAUSED_HOLDS - performance.now();
    this.timer = setTimeout(() => {
      this.withdrawing = this.withdraw(attempt);
    }, left).unref();
  }

  private async withdraw(attempt: NewAttempt): Promise<void> {
    this.unpausedAt = Number.NEGATIVE_INFINITY;
    try {
      this.isWritten = !(await this.writes.withdraw(attempt));
    } catch {
      this.isInDoubt = true;
    }
  }
}
