import { ApiError } from '../errors/api-error.js';
import { LIMITS } from '../limits.js';
import { ByteShare, Waiter } from './byte-share.js';
import { FairLine } from './fair-line.js';
import { heapShare } from './heap-share.js';

const WAITING = {
  all: LIMITS.waitingAnswers.max,
  each: LIMITS.waitingAnswersOfAccount.max,
  promises: Number.POSITIVE_INFINITY,
};
/** Interval of checks for slow requests while others wait. Milliseconds. */
const LOOK = 1_000;

/**
 * Bounds the bytes of large requests in memory. It counts received bytes, not expected ones. A request without room
 * waits, unread: started requests come first, then owners in turn. An owner that holds half of the budget, or of its
 * claimable bytes, starts no more requests. While others wait, a slow request (`Pace`) must give up, and so must the
 * youngest requests of an owner that has grown beyond half; when another has waited for long, so must every request
 * that is not quick.
 *
 * It replaced a `Semaphore` of expected bytes: with that, a body of unannounced length held up others for as long as it
 * wanted, and of 60 concurrent small ones 30 were refused.
 *
 * **It cannot deadlock**, with every request holding a part and waiting for more. Each share first claims its maximal
 * bytes. Bytes are granted only while all started shares could still finish one after the other, each with the free
 * bytes and those released before it (Dijkstra's banker's algorithm). So one share always gets all that it asks for. It
 * finishes, or it is slow and is cut off; then the same applies to the others. A share may raise its claim later, by
 * the same rule. While it waits for that, others may depend on bytes that it does not release: when none of them makes
 * progress any more, the youngest of those that ask for more than their claim gives way.
 */
export class ByteBudget {
  private used = 0;
  private promised = 0;
  /** The eldest first. */
  private readonly begun = new Set<ByteShare>();
  /** By owner. */
  private readonly holdings = new Map<string, Holding>();
  private readonly growing = new Set<Waiter>();
  private readonly entering = new FairLine<Waiter>();
  private readonly total: number;
  private looking: NodeJS.Timeout | undefined;

  /** @param total bytes in a heap of 2,700 MB or more, see `heapShare`; a share that claims more starts alone */
  constructor(
    total: number,
    private readonly limits: BudgetLimits = WAITING,
  ) {
    this.total = heapShare(total);
  }

  /** @param claim maximal bytes of the share */
  open(owner: string, claim: number): ByteShare {
    return new ByteShare(this, owner, claim);
  }

  /**
   * All bytes at once. Resolves with the share when there is room.
   *
   * @param owner owner of the bytes
   * @throws ApiError 503 without room within half a minute, or when too many are waiting already
   */
  async acquire(bytes: number, owner: string): Promise<ByteShare> {
    const share = this.open(owner, bytes);
    await share.grow(bytes);
    return share;
  }

  /** See `ByteShare`. */
  grow(share: ByteShare, bytes: number, claim: number): Promise<void> | undefined {
    if (!this.begun.has(share)) share.claim = claim;
    const mayStart = this.begun.has(share) || !this.isBlocked();
    if (!mayStart || !this.fits(share, bytes, claim)) return this.wait(share, bytes, claim);
    this.grant(share, bytes, claim);
    return undefined;
  }

  /** See `ByteShare`. */
  close(share: ByteShare): void {
    if (share.waiter) this.leave(share.waiter).refuse();
    if (this.begun.delete(share)) this.count(share, -share.held, -share.claim);
    this.admit();
  }

  private async wait(share: ByteShare, bytes: number, claim: number): Promise<void> {
    const { all, each } = this.limits;
    const isNew = !this.begun.has(share);
    if (isNew && (this.entering.size >= all || this.entering.sizeOf(share.owner) >= each)) throw ApiError.busy();
    const waiter = new Waiter(share, bytes, claim, () => {
      this.leave(waiter).refuse();
      // Smaller ones after it may fit.
      this.admit();
    });
    share.waiter = waiter;
    if (isNew) this.entering.add(share.owner, waiter);
    else this.growing.add(waiter);
    this.look();
    await waiter.end;
  }

  private leave(waiter: Waiter): Waiter {
    this.growing.delete(waiter);
    this.entering.delete(waiter.share.owner, waiter);
    waiter.share.waiter = undefined;
    return waiter;
  }

  /** Admits each waiting request that fits. */
  private admit(): void {
    for (const waiter of this.growing) {
      if (this.fits(waiter.share, waiter.bytes, waiter.claim)) this.serve(waiter);
    }
    for (let next = this.next(); next; next = this.next()) this.serve(next);
  }

  private serve(waiter: Waiter): void {
    if (!this.growing.has(waiter)) this.entering.serve(waiter.share.owner, waiter);
    this.grant(waiter.share, waiter.bytes, waiter.claim);
    this.leave(waiter).admit();
  }

  /** Requests that may start. A request that only waits for space is never skipped, or it would wait forever. */
  private next(): Waiter | undefined {
    for (const waiter of this.entering.firsts()) {
      if (this.fits(waiter.share, waiter.bytes, waiter.claim)) return waiter;
      if (this.waitsForSpace(waiter)) return undefined;
    }
    return undefined;
  }

  private isBlocked(): boolean {
    for (const waiter of this.entering.firsts()) if (this.waitsForSpace(waiter)) return true;
    return false;
  }

  private waitsForSpace({ share, bytes, claim }: Waiter): boolean {
    return this.isWithinHalf(share, bytes) && (this.used + bytes > this.total || !this.mayPromise(claim));
  }

  private grant(share: ByteShare, bytes: number, claim: number): void {
    this.count(share, bytes, this.begun.has(share) ? claim - share.claim : claim);
    this.begun.add(share);
    share.held += bytes;
    share.claim = claim;
  }

  private count({ owner }: ByteShare, bytes: number, claim: number): void {
    this.used += bytes;
    this.promised += claim;
    const holding = this.holdings.get(owner);
    const held = (holding?.held ?? 0) + bytes;
    if (held > 0) this.holdings.set(owner, { held, promised: (holding?.promised ?? 0) + claim });
    else this.holdings.delete(owner);
  }

  private fits(share: ByteShare, bytes: number, claim: number): boolean {
    const mayBegin = this.begun.has(share) || (this.isWithinHalf(share, bytes) && this.mayPromise(claim));
    return mayBegin && this.isSafe(share, bytes, claim);
  }

  private mayPromise(claim: number): boolean {
    return this.begun.size === 0 || this.promised + claim <= this.mostPromised;
  }

  private isWithinHalf({ owner, claim }: ByteShare, bytes: number): boolean {
    const holding = this.holdings.get(owner);
    if (!holding) return true;
    return holding.held + bytes <= this.total / 2 && holding.promised + claim <= this.mostPromised / 2;
  }

  private get mostPromised(): number {
    return this.limits.promises * this.total;
  }

  /** True if all can finish one after the other when `growing` gets these bytes of its claim. */
  private isSafe(growing: ByteShare, bytes: number, claim: number): boolean {
    const isAlone = this.used === growing.held;
    if (isAlone) return true;
    const shares: Needs[] = [{ held: growing.held + bytes, wanted: claim - growing.held - bytes }];
    for (const share of this.begun) if (share !== growing) shares.push(share);
    return canEnd(shares, this.total - this.used - bytes);
  }

  /** When no started request makes progress, the youngest of those above their claim gives way. */
  private breakDeadlock(): void {
    for (const { waiter } of this.begun) if (!waiter) return;
    const youngest = [...this.growing].reverse().find(({ asksForMore }) => asksForMore);
    if (youngest) this.leave(youngest).refuse();
  }

  /**
   * When a request has waited for long, the largest of those that would take longer than that gives way, of equal ones
   * the slowest.
   */
  private evictLargest(waiting: readonly Waiter[]): void {
    const stopped = waiting.filter((waiter) => waiter.isLate && this.isStopped(waiter));
    if (stopped.length === 0) return;
    const others = [...this.begun].filter(
      (share) => !share.isBrisk && stopped.some((waiter) => waiter.share.owner !== share.owner),
    );
    others.sort((a, b) => b.held - a.held || b.lag - a.lag)[0]?.cutOff();
  }

  /** True if it waits for bytes of others. A request beyond the half of its owner waits for bytes of its owner only. */
  private isStopped(waiter: Waiter): boolean {
    return this.growing.has(waiter) || this.isWithinHalf(waiter.share, waiter.bytes);
  }

  /** Cuts off blocking requests while others wait. */
  private look(): void {
    clearTimeout(this.looking);
    const waiting = [...this.growing, ...this.entering.firsts()];
    if (waiting.length === 0) return;
    const isAwaited = ({ owner }: ByteShare) =>
      waiting.some((waiter) => waiter.share.owner === owner || this.isStopped(waiter));
    for (const share of this.begun) if (share.isSlow && isAwaited(share)) share.cutOff();
    this.breakDeadlock();
    this.evictLargest(waiting);
    for (const [owner, { held }] of this.holdings) {
      if (held > this.total / 2 && waiting.some(({ share }) => share.owner !== owner)) this.cutBack(owner);
    }
    this.looking = setTimeout(() => this.look(), LOOK).unref();
  }

  private cutBack(owner: string): void {
    const shares = [...this.begun].filter((share) => share.owner === owner);
    let excess = (this.holdings.get(owner)?.held ?? 0) - this.total / 2;
    for (const share of shares.slice(1).reverse()) {
      if (excess <= 0) return;
      if (share.cutOff()) excess -= share.held;
    }
  }
}

/** Limits of the queue of a budget. */
export interface BudgetLimits {
  /** Limit of requests that wait to start. */
  all: number;
  /** The same, of one owner. */
  each: number;
  /** Limit of the claims of started requests, as a multiple of the budget. */
  promises: number;
}

/** Bytes that the requests of one owner hold. */
interface Holding {
  held: number;
  promised: number;
}

/** Bytes of one share. */
interface Needs {
  held: number;
  wanted: number;
}

/** True if all can finish one after the other with these bytes free, the smallest claim first. */
function canEnd(shares: Needs[], free: number): boolean {
  if (shares.every(({ wanted }) => wanted <= free)) return true;
  let left = free;
  for (const { held, wanted } of shares.sort((a, b) => a.wanted - b.wanted)) {
    if (wanted > left) return false;
    left += held;
  }
  return true;
}
