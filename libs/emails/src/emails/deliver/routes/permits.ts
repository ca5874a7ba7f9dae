import { Semaphore } from '../../../shared/work/semaphore.js';
import { TurnLine } from '../../../shared/work/turn-line.js';
import type {
  GrantedPermits,
  PermitLimits,
  PermitsStore,
  UnusedPermits,
} from '../../storage/deliver/permits.repository.js';
import { today } from './transport-limits.js';

/** Time for which permits are taken ahead. A process that dies loses those it has taken. Milliseconds. */
const AHEAD = 500;
/** A wait that is longer is not waited for in this process. Milliseconds. */
const LONG = 5_000;
/** Longest delay before another try: limits may be raised. Milliseconds. */
const LONGEST = 900_000;
/** Delay before another try while PostgreSQL is away, and when the process stops. Milliseconds. */
const AWAY = 1_000;
/**
 * Limit of the messages that wait for a slot or, with it, for permits: those of a time in seconds, and at least so many. More would
 * hold connections that they do not use.
 */
const NEXT = { seconds: 2, least: 5 };

const NONE: UnusedPermits = { day: '', count: 0 };

interface Waiter {
  /** Recipients of the message. */
  count: number;
  turn: number;
  /** Its permits come within `AHEAD`. Undefined: it was called. */
  whenNear: (() => void) | undefined;
  /** False: it has ended before. */
  end: (wait: number) => boolean;
}

/**
 * Permits to give messages to a transport with limits. A message needs one for each recipient, all at once. It takes them when
 * it has a slot, because a permit counts for its time: many that are used later would be sent at once.
 */
export class Permits {
  /** Places of the messages that are next. */
  private readonly places: Semaphore;
  private readonly waiting = new TurnLine<Waiter>();
  /** Permits that were taken for messages with one recipient, and whose time has not come. */
  private coming = 0;
  private isTaking = false;
  private closedUntil = Number.NEGATIVE_INFINITY;
  /** Permits of a day (UTC) for messages that were not sent: the next statement returns them to the day. */
  private unused = NONE;
  private isStopped = false;

  /** @param limits as of now */
  constructor(
    private readonly transport: string,
    private readonly limits: () => PermitLimits,
    private readonly store: PermitsStore,
    private readonly now: () => number = () => performance.now(),
  ) {
    const { perSecond = Number.POSITIVE_INFINITY } = limits();
    this.places = new Semaphore(Math.max(NEXT.least, Math.ceil(perSecond * NEXT.seconds)));
  }

  /** Milliseconds until there may be permits; 0 if there may be some now. */
  get wait(): number {
    return Math.max(0, this.closedUntil - this.now());
  }

  /** True if a message would have to wait. */
  get isFull(): boolean {
    return this.isAwaited || !this.places.isFree;
  }

  /** True if a message with a slot would have to wait. */
  get isAwaited(): boolean {
    return this.waiting.size > this.coming;
  }

  /**
   * False when the message was not among the next ones within `patience` milliseconds. Else `leave` follows, as soon as it has
   * its permits.
   *
   * @param turn the lowest is first
   */
  enter(patience: number, turn = 0): Promise<boolean> {
    return this.places.acquire(patience, turn);
  }

  leave(): void {
    this.places.release();
  }

  /**
   * Takes a permit for each of `count` recipients. Resolves with 0 when the message may be sent; otherwise with the delay in
   * milliseconds before the next try.
   *
   * @param patience time limit in milliseconds
   * @param turn the lowest is first. Default: 0
   * @param whenNear called once when the permits are near. Not called when they come at once
   */
  take(count: number, patience: number, turn = 0, whenNear?: () => void): Promise<number> {
    if (this.isStopped) return Promise.resolve(AWAY);
    if (this.wait > 0) return Promise.resolve(this.wait);
    return new Promise((resolve) => {
      let isOver = false;
      const waiter: Waiter = {
        count,
        turn,
        whenNear,
        end: (wait) => {
          if (isOver) return false;
          isOver = true;
          clearTimeout(timer);
          this.waiting.delete(waiter, turn);
          resolve(wait);
          return true;
        },
      };
      const timer = setTimeout(() => waiter.end(AWAY), patience);
      this.waiting.add(waiter, turn);
      void this.takeAll();
    });
  }

  /**
   * The message was not sent: its permits are for others of the same day. Their time is lost, so that the distance between
   * messages holds.
   *
   * @param day on which they were taken (UTC)
   */
  giveBack(count: number, day: string): void {
    if (day !== today()) return;
    this.unused = { day, count: (this.unused.day === day ? this.unused.count : 0) + count };
    this.closedUntil = Number.NEGATIVE_INFINITY;
  }

  /** Ends all waits, also later ones. */
  stop(): void {
    this.isStopped = true;
    this.places.close();
    this.endAll(AWAY);
  }

  /** One statement at a time, for all that wait. */
  private async takeAll(): Promise<void> {
    if (this.isTaking) return;
    this.isTaking = true;
    try {
      while (this.isAwaited) await this.takeSome();
    } catch {
      this.endAll(AWAY);
    } finally {
      this.isTaking = false;
    }
  }

  private async takeSome(): Promise<void> {
    const limits = this.limits();
    const group = this.nextGroup();
    const wanted = group.reduce((sum, { count }) => sum + count, 0);
    const isOne = group.length === 1 && wanted > 1;
    const { granted, wait } = await this.ask(wanted, limits, isOne);
    if (granted === 0 && wait > LONG) {
      // A message with several recipients may not fit into a day where others do.
      if (isOne) group[0]?.end(Math.min(wait, LONGEST));
      else this.close(wait);
      return;
    }
    const interval = limits.perSecond === undefined ? 0 : 1_000 / limits.perSecond;
    this.hand(group, granted, wait, interval);
    // The next ones are asked for when these are half used.
    const delay = granted === 0 ? Math.min(Math.max(wait, 1), AHEAD) : wait + granted * interval - AHEAD / 2;
    if (this.isAwaited && delay > 0) await pause(Math.min(delay, LONG));
  }

  /** If the statement fails, too many permits of the day are counted, rather than too few. */
  private ask(wanted: number, limits: PermitLimits, isOne: boolean): Promise<GrantedPermits> {
    const { unused } = this;
    this.unused = NONE;
    return this.store.take(this.transport, wanted, limits, AHEAD, isOne, unused);
  }

  /** A message with several recipients, or those in front of the next such, without those whose permits are coming. */
  private nextGroup(): Waiter[] {
    const group: Waiter[] = [];
    let { coming } = this;
    for (const waiter of this.waiting) {
      if (waiter.count > 1) return group.length > 0 ? group : [waiter];
      if (coming > 0) coming--;
      else group.push(waiter);
    }
    return group;
  }

  /** @param first milliseconds until the first permit. @param interval from one to the next */
  private hand([waiter]: readonly Waiter[], granted: number, first: number, interval: number): void {
    if (waiter && waiter.count > 1) {
      if (granted > 0) this.handWhole(waiter, first);
      return;
    }
    this.coming += granted;
    const day = today();
    for (let n = 0; n < granted; n++) after(first + n * interval, () => this.handNext(day));
    this.callNear(this.coming);
  }

  private handWhole(waiter: Waiter, delay: number): void {
    const day = today();
    // It may have given up while its permits were taken, and it may until they are there.
    if (this.waiting.delete(waiter, waiter.turn) && delay >= 1) near(waiter);
    after(delay, () => waiter.end(0) || this.giveBack(waiter.count, day));
  }

  /** The next messages with one recipient. */
  private callNear(count: number): void {
    let left = count;
    for (const waiter of this.waiting) {
      if (left <= 0) return;
      if (waiter.count > 1) continue;
      near(waiter);
      left--;
    }
  }

  /** The permit is for the message whose turn it is by now. @param day on which it was taken (UTC) */
  private handNext(day: string): void {
    this.coming--;
    for (const waiter of this.waiting) {
      if (waiter.count > 1) continue;
      waiter.end(0);
      return;
    }
    this.giveBack(1, day);
    // A message to several may wait that was taken for the one whose permit this is.
    void this.takeAll();
  }

  private close(wait: number): void {
    this.closedUntil = this.now() + Math.min(wait, LONGEST);
    this.endAll(this.wait);
  }

  private endAll(wait: number): void {
    for (const waiter of this.waiting) waiter.end(wait);
  }
}

function near(waiter: Waiter): void {
  const { whenNear } = waiter;
  waiter.whenNear = undefined;
  whenNear?.();
}

function after(delay: number, work: () => void): void {
  if (delay < 1) work();
  else setTimeout(work, delay);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
