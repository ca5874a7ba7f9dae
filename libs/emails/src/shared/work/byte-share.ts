import { ApiError } from '../errors/api-error.js';
import { Pace } from './pace.js';

/** Milliseconds that anybody waits for room. */
const MAX_WAIT = 30_000;
/** Bytes for each millisecond: 0.5 MB a second, at which the largest body takes two minutes. */
const SLOWEST = 500;
/** At which it takes half a minute. */
const BRISK = 2_000;
/** After which others have to be brisk. Milliseconds. */
const LATE = 10_000;

interface Budget {
  grow(share: ByteShare, bytes: number, claim: number): Promise<void> | undefined;
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
  private briskPace: Pace | undefined;
  private giveUp: (() => void) | undefined;

  constructor(
    private readonly budget: Budget,
    readonly owner: string,
    /** Bytes that it will have at most. Raised by its budget. */
    public claim: number,
  ) {}

  /** Bytes that it may still ask for. */
  get wanted(): number {
    return this.claim - this.held;
  }

  /**
   * Room for so many bytes more, once what it has is filled. Undefined when there is room at once.
   *
   * @param claim bytes that it will have at most; one that asks for more than it did gives way, when nobody else gets on, to
   *   those that did not
   * @throws ApiError 503 when there is none within half a minute, when too many are waiting to begin, or when it gives way
   */
  grow(bytes: number, claim = this.claim): Promise<void> | undefined {
    this.pace?.advance(this.step);
    this.briskPace?.advance(this.step);
    this.step = bytes;
    return this.budget.grow(this, bytes, claim);
  }

  /**
   * From now on it is somebody else's to be quick. When he is not, or his owner has too much, and others wait, `giveUp`
   * is called, once.
   */
  follow(giveUp: () => void): void {
    this.pace = new Pace(SLOWEST);
    this.briskPace = new Pace(BRISK);
    this.giveUp = giveUp;
  }

  /** So many bytes have come besides those that it asked room for. They make nobody brisk: it holds no less for them. */
  advance(bytes: number): void {
    this.pace?.advance(bytes);
  }

  /** From now on it is ours. */
  unfollow(): void {
    this.pace = undefined;
    this.briskPace = undefined;
    this.giveUp = undefined;
  }

  /** So many milliseconds of a wait that is over were ours. */
  excuse(time: number): void {
    this.pace?.excuse(time);
    this.briskPace?.excuse(time);
  }

  get isSlow(): boolean {
    return !this.waiter && (this.pace?.isSlow ?? false);
  }

  /** Whether even the largest would be over before those who wait give up; also when it waits itself, or is ours. */
  get isBrisk(): boolean {
    return this.waiter !== undefined || !this.briskPace?.isSlow;
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
  private readonly since = performance.now();

  /** @param claim bytes that the share wants to have at most from then on */
  constructor(
    readonly share: ByteShare,
    readonly bytes: number,
    readonly claim: number,
    giveUp: () => void,
  ) {
    this.end = new Promise((resolve, reject) => {
      const timer = setTimeout(giveUp, MAX_WAIT);
      this.admit = () => {
        clearTimeout(timer);
        share.excuse(performance.now() - this.since);
        resolve();
      };
      this.refuse = () => {
        clearTimeout(timer);
        reject(ApiError.busy());
      };
    });
  }
  /** Whether it has waited so long that others have to be brisk. */
  get isLate(): boolean {
    return performance.now() - this.since >= LATE;
  }

  /** Whether it asks for more than it said at first that it might. */
  get asksForMore(): boolean {
    return this.claim > this.share.claim;
  }
}
