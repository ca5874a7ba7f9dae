import { ApiError } from '../errors/api-error.js';
import { ByteShare, Waiter } from './byte-share.js';
import { FairLine } from './fair-line.js';

const LIMITS = { all: 100, each: 25, promises: Number.POSITIVE_INFINITY };
/** Milliseconds between two looks for who is slow while others wait. */
const LOOK = 1_000;

/**
 * Bounds the bytes that large requests take in memory at the same time. Counted is what has come, not what may come.
 * Who finds no room waits, unread: first whoever has begun, then owners in turn. An owner who has half of it, or of
 * what may be promised of it, begins nothing more. While others wait, whoever is slow (`Pace`) is told to give up, and
 * so are the youngest of an owner who has grown beyond half; for somebody who has waited for long, also who is not
 * quick.
 *
 * A `Semaphore` of the bytes that may come was there before: a body that did not say how much that is held up others
 * for as long as it liked, and of 60 small ones at once 30 were refused.
 *
 * **It cannot come to a stand**, with everybody holding a part and waiting for more. Each share says at first how many
 * bytes it may want at most. Bytes are given only as long as all that have begun could still end one after the other,
 * each with what is free and what those before it gave back (Dijkstra's banker's algorithm). So there is always one
 * that gets whatever it asks for. It ends, or it is slow and is cut off; then the same holds for the others. A share
 * may raise its claim later, by the same rule. While it waits for that, others may rely on bytes that it does not give
 * back: when none of them gets on any more, the youngest of those who ask for more than they said gives way.
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
  private looking: NodeJS.Timeout | undefined;

  /** @param total bytes; a share that claims more than that begins alone */
  constructor(
    private readonly total: number,
    private readonly limits: BudgetLimits = LIMITS,
  ) {}

  /** @param claim bytes that the share will have at most */
  open(owner: string, claim: number): ByteShare {
    return new ByteShare(this, owner, claim);
  }

  /**
   * All bytes at once. Resolves with the share when there is room.
   *
   * @param owner whose bytes they are
   * @throws ApiError 503 when there is none within half a minute, or when too many are waiting already
   */
  async take(bytes: number, owner: string): Promise<ByteShare> {
    const share = this.open(owner, bytes);
    await share.grow(bytes);
    return share;
  }

  /** See `ByteShare`. */
  grow(share: ByteShare, bytes: number, claim: number): Promise<void> | undefined {
    if (!this.begun.has(share)) share.claim = claim;
    const goesAhead = this.begun.has(share) || !this.isBlocked();
    if (!goesAhead || !this.fits(share, bytes, claim)) return this.wait(share, bytes, claim);
    this.give(share, bytes, claim);
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
      // Smaller ones behind it may fit.
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

  /** Lets in whoever fits. */
  private admit(): void {
    for (const waiter of this.growing) {
      if (this.fits(waiter.share, waiter.bytes, waiter.claim)) this.serve(waiter);
    }
    for (let next = this.next(); next; next = this.next()) this.serve(next);
  }

  private serve(waiter: Waiter): void {
    if (!this.growing.has(waiter)) this.entering.serve(waiter.share.owner, waiter);
    this.give(waiter.share, waiter.bytes, waiter.claim);
    this.leave(waiter).admit();
  }

  /** Who may begin. Others are passed over, but nobody who only waits for space: there would never be enough of it. */
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

  private give(share: ByteShare, bytes: number, claim: number): void {
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

  /** Whether all can end one after the other when `growing` gets so many bytes, of a claim to so many. */
  private isSafe(growing: ByteShare, bytes: number, claim: number): boolean {
    const isAlone = this.used === growing.held;
    if (isAlone) return true;
    const shares: Needs[] = [{ held: growing.held + bytes, wanted: claim - growing.held - bytes }];
    for (const share of this.begun) if (share !== growing) shares.push(share);
    return canEnd(shares, this.total - this.used - bytes);
  }

  /** When nobody who has begun gets on, the youngest gives way who asks for more than he said. */
  private giveWay(): void {
    for (const { waiter } of this.begun) if (!waiter) return;
    const youngest = [...this.growing].reverse().find(({ asksForMore }) => asksForMore);
    if (youngest) this.leave(youngest).refuse();
  }

  /** When somebody has waited for long, the one gives way who has most of those that would take longer than he waits. */
  private makeWay(waiting: readonly Waiter[]): void {
    const stopped = waiting.filter(
      (waiter) => waiter.isLate && (this.growing.has(waiter) || this.isWithinHalf(waiter.share, waiter.bytes)),
    );
    if (stopped.length === 0) return;
    const others = [...this.begun].filter(
      (share) => !share.isBrisk && stopped.some((waiter) => waiter.share.owner !== share.owner),
    );
    others.sort((a, b) => b.held - a.held)[0]?.cutOff();
  }

  /** Cuts off who is in the way, for as long as others wait. */
  private look(): void {
    clearTimeout(this.looking);
    const waiting = [...this.growing, ...this.entering.firsts()];
    if (waiting.length === 0) return;
    for (const share of this.begun) if (share.isSlow) share.cutOff();
    this.giveWay();
    this.makeWay(waiting);
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

/** Bounds of the line in front of a budget. */
export interface BudgetLimits {
  /** How many may wait to begin. */
  all: number;
  /** The same, of one owner. */
  each: number;
  /** How many times its bytes the claims of those may come to who have begun. */
  promises: number;
}

/** What the requests of one owner hold, in bytes. */
interface Holding {
  held: number;
  promised: number;
}

/** Bytes of one share. */
interface Needs {
  held: number;
  wanted: number;
}

/** Whether they can end one after the other with so many bytes free: whoever wants the fewest first. */
function canEnd(shares: Needs[], free: number): boolean {
  if (shares.every(({ wanted }) => wanted <= free)) return true;
  let left = free;
  for (const { held, wanted } of shares.sort((a, b) => a.wanted - b.wanted)) {
    if (wanted > left) return false;
    left += held;
  }
  return true;
}
