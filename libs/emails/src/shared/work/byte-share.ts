import { ApiError } from '../errors/api-error.js';
import { LIMITS } from '../limits.js';
import { Pace } from './pace.js';

/** Bytes for each millisecond: 0.5 MB a second, at which the largest body takes two minutes. */
const SLOWEST = LIMITS.slowest.max / 1_000;
/** The rate at which it takes half a minute. */
const BRISK = LIMITS.brisk.max / 1_000;
/** Wait after which others must be quick. Milliseconds. */
const LATE = 10_000;

interface Budget {
  grow(share: ByteShare, bytes: number, claim: number): Promise<void> | undefined;
  close(share: ByteShare): void;
}

/** The bytes of a budget that one request holds. */
export class ByteShare {
  /** Bytes. Counted by its budget. */
  held = 0;
  /** Set by its budget while it waits for room. */
  waiter: Waiter | undefined;
  private step = 0;
  private pace: Pace | undefined;
  private briskPace: Pace | undefined;
  private giveUp: (() => void) | undefined;
  /** Start of the server's time, while it lasts. */
  private pausedAt: number | undefined;

  constructor(
    private readonly budget: Budget,
    readonly owner: string,
    /** Maximal bytes. Raised by its budget. */
    public claim: number,
  ) {}

  /** Bytes that it may still ask for. */
  get wanted(): number {
    return this.claim - this.held;
  }

  /**
   * Acquires room for more bytes after the current room is filled. Undefined if granted at once.
   *
   * @param claim maximal bytes; when no request makes progress, one above its claim gives way to the others
   * @throws ApiError 503 without room within half a minute, when too many are waiting to start, or when it gives way
   */
  grow(bytes: number, claim = this.claim): Promise<void> | undefined {
    this.proceed(this.step);
    this.step = bytes;
    return this.budget.grow(this, bytes, claim);
  }

  /**
   * From now on the client must be quick. If it is slow, or its owner holds too much, while others wait, `giveUp` is
   * called once.
   */
  follow(giveUp: () => void): void {
    this.pace = new Pace(SLOWEST);
    this.briskPace = new Pace(BRISK);
    this.giveUp = giveUp;
    this.pausedAt = undefined;
  }

  /** The elapsed time is the server's until `resume`. */
  pause(): void {
    this.pausedAt ??= performance.now();
  }

  /** From now on the elapsed time is the client's again. */
  resume(): void {
    if (this.pausedAt !== undefined) this.excuse(performance.now() - this.pausedAt);
    this.pausedAt = undefined;
  }

  /** Counts bytes that the client sent into its room, or accepted out of it. */
  proceed(bytes: number): void {
    this.pace?.advance(bytes);
    this.briskPace?.advance(bytes);
  }

  /** Counts received bytes without room. They are not progress, since they release nothing. */
  advance(bytes: number): void {
    this.pace?.advance(bytes);
  }

  /** From now on the elapsed time is the server's. */
  unfollow(): void {
    this.pace = undefined;
    this.briskPace = undefined;
    this.giveUp = undefined;
  }

  /** Excludes a finished wait of the server. Milliseconds. */
  excuse(time: number): void {
    this.pace?.excuse(time);
    this.briskPace?.excuse(time);
  }

  get isSlow(): boolean {
    return !this.isServers && (this.pace?.isSlow ?? false);
  }

  /**
   * Whether even the largest would end before the waiting requests give up; also true while it waits itself, or during
   * the server's time.
   */
  get isBrisk(): boolean {
    return this.isServers || !this.briskPace?.isSlow;
  }

  /** Time by which it is behind that. Milliseconds. */
  get lag(): number {
    return this.briskPace?.lag ?? 0;
  }

  private get isServers(): boolean {
    return this.waiter !== undefined || this.pausedAt !== undefined;
  }

  /** False if no one can give up. */
  cutOff(): boolean {
    const { giveUp } = this;
    this.unfollow();
    giveUp?.();
    return giveUp !== undefined;
  }

  /** Releases everything. */
  close(): void {
    this.budget.close(this);
  }
}

/** A waiter for room in a budget. */
export class Waiter {
  readonly end: Promise<void>;
  admit!: () => void;
  refuse!: () => void;
  private readonly since = performance.now();

  /** @param claim maximal bytes of the share from then on */
  constructor(
    readonly share: ByteShare,
    readonly bytes: number,
    readonly claim: number,
    giveUp: () => void,
  ) {
    this.end = new Promise((resolve, reject) => {
      const timer = setTimeout(giveUp, LIMITS.wait.max);
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
  /** True if it has waited so long that others must be quick. */
  get isLate(): boolean {
    return performance.now() - this.since >= LATE;
  }

  /** True if it asks for more than its first claim. */
  get asksForMore(): boolean {
    return this.claim > this.share.claim;
  }
}
