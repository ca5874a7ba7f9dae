import { ApiError } from '../errors/api-error.js';
import { Pace } from './pace.js';

/** Milliseconds that anybody waits for room. */
const MAX_WAIT = 30_000;

interface Budget {
  grow(share: ByteShare, bytes: number): Promise<void> | undefined;
  close(share: ByteShare): void;
}

/** What one request holds of a budget. */
export class ByteShare {
  /** Bytes. Counted by its budget. */
  held = 0;
  /** Set by its budget while it waits for room. */
  waiter: Waiter | undefined;
  private step = 0;
  private pace: Pace | undefined;
  private giveUp: (() => void) | undefined;

  constructor(
    private readonly budget: Budget,
    readonly owner: string,
    readonly claim: number,
  ) {}

  /** Bytes that it may still ask for. */
  get wanted(): number {
    return this.claim - this.held;
  }

  /**
   * Room for so many bytes more, once what it has is filled. Undefined when there is room at once.
   *
   * @throws ApiError 503 when there is none within half a minute, or when too many are waiting to begin
   */
  grow(bytes: number): Promise<void> | undefined {
    this.pace?.advance(this.step);
    this.step = bytes;
    return this.budget.grow(this, bytes);
  }

  /**
   * From now on it is somebody else's to be quick. When he is not, or his owner has too much, and others wait, `giveUp`
   * is called, once.
   */
  follow(giveUp: () => void): void {
    this.pace = new Pace();
    this.giveUp = giveUp;
  }

  /** From now on it is ours. */
  unfollow(): void {
    this.pace = undefined;
    this.giveUp = undefined;
  }

  /** The time of a wait that is over, in milliseconds, was ours. */
  excuse(time: number): void {
    this.pace?.excuse(time);
  }

  get isSlow(): boolean {
    return !this.waiter && (this.pace?.isSlow ?? false);
  }

  /** False when there is nobody to give up. */
  cutOff(): boolean {
    const { giveUp } = this;
    this.unfollow();
    giveUp?.();
    return giveUp !== undefined;
  }

  /** Gives everything back. */
  close(): void {
    this.budget.close(this);
  }
}

/** Somebody who waits for room in a budget. */
export class Waiter {
  readonly end: Promise<void>;
  admit!: () => void;
  refuse!: () => void;

  constructor(
    readonly share: ByteShare,
    readonly bytes: number,
    giveUp: () => void,
  ) {
    const since = performance.now();
    this.end = new Promise((resolve, reject) => {
      const timer = setTimeout(giveUp, MAX_WAIT);
      this.admit = () => {
        clearTimeout(timer);
        share.excuse(performance.now() - since);
        resolve();
      };
      this.refuse = () => {
        clearTimeout(timer);
        reject(ApiError.busy());
      };
    });
  }
}
