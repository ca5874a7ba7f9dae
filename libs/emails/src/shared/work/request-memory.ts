import { ApiError } from '../errors/api-error.js';
import { ByteBudget } from './byte-budget.js';
import type { ByteShare } from './byte-share.js';

/** Bytes that a request takes without asking: it is bounded by the number of connections. */
export const SMALL = 64_000;
/** Bytes from which on a request is large. */
export const LARGE = 1_000_000;
/**
 * Bytes that one of unknown length claims, one after the other, before all that there may be: if it claimed that at once,
 * two could hardly grow beside each other. `GrowingBytes` has memory for as much.
 */
const CLAIMS = [LARGE, 34_000_000];
/** How many medium ones may wait, with nothing in memory: a burst of them is nothing unusual. */
const MEDIUM_LIMITS = { all: 4_000, each: 1_000, promises: Number.POSITIVE_INFINITY };
/**
 * Large ones of unknown length wait with up to a megabyte each: together less than what the medium ones have. Each that
 * has begun has memory for all that may come, which V8 counts although nothing is in it yet: with 20 begun instead of 7
 * it collects so late that a process peaks at 400 MB instead of 350.
 */
const LARGE_LIMITS = { all: 60, each: 20, promises: 4 };

/**
 * The memory of requests. Small ones need nothing of it. Medium ones, up to 1 MB, have a budget, and large ones, which
 * take long to send, another. One of unknown length begins as a medium one.
 */
export class RequestMemory {
  private readonly medium: ByteBudget;
  private readonly large: ByteBudget;
  private readonly small: number;

  /** @param bytes of each budget; `small`: that a request takes without asking. Default: `SMALL` */
  constructor({ medium, large, small = SMALL }: { medium: number; large: number; small?: number }) {
    this.medium = new ByteBudget(medium, MEDIUM_LIMITS);
    this.large = new ByteBudget(large, LARGE_LIMITS);
    this.small = small;
  }

  /**
   * @param most bytes that it may come to
   * @param isKnown whether it will come to just that
   */
  open(owner: string, most: number, isKnown = false): MemoryShare {
    const claims = (isKnown ? [] : CLAIMS).filter((claim) => claim < most).concat(most);
    const [first = most, second = most] = claims;
    const medium = this.medium.open(owner, first);
    const large = this.large.open(owner, first > LARGE ? first : second);
    return new MemoryShare(first > LARGE ? large : medium, large, claims, this.small);
  }
}

/** What one request has of the memory of requests. */
export class MemoryShare {
  private timeout: AbortController | undefined;

  constructor(
    private share: ByteShare,
    private readonly large: ByteShare,
    /** Bytes, growing; the last are all that there may be. */
    private readonly claims: readonly number[],
    private room: number,
  ) {}

  /**
   * Room for so many bytes in all. Undefined when there is room at once.
   *
   * @param most bytes that it will come to, where fewer are left than it claimed
   * @throws RangeError when that are more than there may be
   * @throws ApiError 503 when there is none within half a minute
   */
  makeRoom(bytes: number, most = Number.POSITIVE_INFINITY): Promise<void> | undefined {
    if (bytes <= this.room) return undefined;
    const next = this.claims.find((claim) => bytes <= claim);
    if (next === undefined) throw new RangeError('There are more bytes than there may be.');
    const claim = Math.min(next, most);
    const room = Math.min(claim, Math.max(bytes, this.room + Math.min(this.room, LARGE)));
    const hasToMove = this.share !== this.large && claim > LARGE;
    const wait = hasToMove ? this.move(room, claim) : this.share.grow(room - this.share.held, claim);
    if (!wait) this.room = room;
    return wait?.then(() => {
      this.room = room;
    });
  }

  /** While it moves it holds both, and is hurried by nobody. */
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
   * From now on its bytes come from outside. The signal is aborted, with the refusal as its reason, when they come slowly
   * while others wait.
   */
  follow(): AbortSignal {
    this.timeout = new AbortController();
    this.watch(this.timeout);
    return this.timeout.signal;
  }

  /** So many bytes have come that need no room. Who sends them is not slow, but does not get on by them. */
  advance(bytes: number): void {
    this.share.advance(bytes);
  }

  /** So many milliseconds of the time that it took were ours. */
  excuse(milliseconds: number): void {
    this.share.excuse(milliseconds);
  }

  /** From now on nobody else is to blame for the time it takes. */
  unfollow(): void {
    this.timeout = undefined;
    this.share.unfollow();
  }

  /** Gives everything back. */
  close(): void {
    this.share.close();
    this.large.close();
  }

  private watch(timeout: AbortController): void {
    this.share.follow(() => timeout.abort(ApiError.busy()));
  }
}
