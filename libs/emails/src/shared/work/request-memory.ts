import { ApiError } from '../errors/api-error.js';
import { LIMITS } from '../limits.js';
import { ByteBudget } from './byte-budget.js';
import type { ByteShare } from './byte-share.js';

/** Bytes of a request without a reservation; the number of connections bounds the total. */
export const SMALL = LIMITS.smallBody.max;
/** Size from which a request is large. Bytes. */
export const LARGE = LIMITS.mediumBody.max;
/**
 * Successive claims of a request of unknown length before its maximum: if it claimed that at once, two could hardly
 * grow at the same time. `GrowingBytes` allocates the same sizes. Bytes.
 */
const CLAIMS = [LARGE, 34_000_000];
/** Limit of waiting medium requests, which hold no memory: bursts of them are common. */
export const MEDIUM_LIMITS = {
  all: LIMITS.waiting.max,
  each: LIMITS.waitingOfAccount.max,
  promises: Number.POSITIVE_INFINITY,
};
/**
 * Limit of waiting large requests. Those of unknown length hold up to a megabyte each, together less than the medium
 * ones. Each started one has memory for its maximum, which V8 counts although it is empty: with 20 started instead of
 * 7, garbage collection is so late that a process peaks at 400 MB instead of 350.
 */
const LARGE_LIMITS = { all: LIMITS.waitingLarge.max, each: LIMITS.waitingLargeOfAccount.max, promises: 4 };

/**
 * The memory of requests. Small ones use none of it. Medium ones, up to 1 MB, have a budget, and large ones, whose
 * upload is slow, another. One of unknown length starts as a medium one.
 */
export class RequestMemory {
  private readonly medium: ByteBudget;
  private readonly large: ByteBudget;
  private readonly small: number;

  /** @param bytes of each budget; `small`: of a request without a reservation. Default: `SMALL` */
  constructor({ medium, large, small = SMALL }: { medium: number; large: number; small?: number }) {
    this.medium = new ByteBudget(medium, MEDIUM_LIMITS);
    this.large = new ByteBudget(large, LARGE_LIMITS);
    this.small = small;
  }

  /**
   * @param limit limit in bytes
   * @param isKnown whether the limit is its exact length
   */
  open(owner: string, limit: number, isKnown = false): MemoryShare {
    const claims = (isKnown ? [] : CLAIMS).filter((claim) => claim < limit).concat(limit);
    const [first = limit, second = limit] = claims;
    const medium = this.medium.open(owner, first);
    const large = this.large.open(owner, first > LARGE ? first : second);
    return new MemoryShare(first > LARGE ? large : medium, large, claims, this.small);
  }
}

/** The memory of one request. */
export class MemoryShare {
  private timeout: AbortController | undefined;

  constructor(
    private share: ByteShare,
    private readonly large: ByteShare,
    /** Growing claims in bytes; the last one is the limit. */
    private readonly claims: readonly number[],
    private room: number,
  ) {}

  /**
   * Acquires room for this many bytes in all. Undefined if granted at once.
   *
   * @param final final bytes, if fewer than its claim
   * @throws RangeError above the limit
   * @throws ApiError 503 without room within half a minute
   */
  makeRoom(bytes: number, final = Number.POSITIVE_INFINITY): Promise<void> | undefined {
    if (bytes <= this.room) return undefined;
    const next = this.claims.find((claim) => bytes <= claim);
    if (next === undefined) throw new RangeError('There are more bytes than there may be.');
    const claim = Math.min(next, final);
    const room = Math.min(claim, Math.max(bytes, this.room + Math.min(this.room, LARGE)));
    const hasToMove = this.share !== this.large && claim > LARGE;
    const wait = hasToMove ? this.move(room, claim) : this.share.grow(room - this.share.held, claim);
    if (!wait) this.room = room;
    return wait?.then(() => {
      this.room = room;
    });
  }

  /** During the move it holds both shares, and cannot be cut off. */
  private move(room: number, claim: number): Promise<void> | undefined {
    const medium = this.share;
    medium.unfollow();
    const settle = () => {
      medium.close();
      this.share = this.large;
      if (this.timeout) this.watch(this.timeout);
    };
    const wait = this.large.grow(room, claim);
    if (!wait) settle();
    return wait?.then(settle);
  }

  /**
   * From now on its bytes come from a client. The signal is aborted, with the refusal as its reason, when they arrive
   * slowly while others wait.
   */
  follow(): AbortSignal {
    this.timeout = new AbortController();
    this.watch(this.timeout);
    return this.timeout.signal;
  }

  /** Counts bytes without room. They show that the client is not slow, but are not progress either. */
  advance(bytes: number): void {
    this.share.advance(bytes);
  }

  /** Excludes the server's own time. Milliseconds. */
  excuse(milliseconds: number): void {
    this.share.excuse(milliseconds);
  }

  /** From now on all elapsed time is the server's. */
  unfollow(): void {
    this.timeout = undefined;
    this.share.unfollow();
  }

  /** Releases everything. */
  close(): void {
    this.share.close();
    this.large.close();
  }

  private watch(timeout: AbortController): void {
    this.share.follow(() => timeout.abort(ApiError.busy()));
  }
}
