import { TurnLine } from '../../../shared/work/turn-line.js';
import type { PermitLimits, PermitsStore } from '../../storage/deliver/permits.repository.js';

/** Time for which permits are taken ahead. A process that dies loses those it has taken. Milliseconds. */
const AHEAD = 500;
/** A wait that is longer is not waited for in this process. Milliseconds. */
const LONG = 5_000;
/** Longest delay before another try: limits may be raised. Milliseconds. */
const LONGEST = 900_000;
/** Delay before another try while PostgreSQL is away. Milliseconds. */
const AWAY = 1_000;

interface Waiter {
  /** Recipients of the message. */
  count: number;
  turn: number;
  end: (wait: number) => void;
}

/** Permits to give messages to a transport with limits. A message needs one for each recipient, all at once. */
export class Permits {
  private readonly waiting = new TurnLine<Waiter>();
  /** Permits that were taken for messages with one recipient, and whose time has not come. */
  private coming = 0;
  private isTaking = false;
  private closedUntil = Number.NEGATIVE_INFINITY;
  /** Permits of messages that were not sent. */
  private returned = 0;

  /** @param limits as of now */
  constructor(
    private readonly transport: string,
    private readonly limits: () => PermitLimits,
    private readonly store: PermitsStore,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Milliseconds until there may be permits; 0 if there may be some now. */
  get wait(): number {
    return Math.max(0, this.closedUntil - this.now());
  }

  /** True if a message would have to wait. */
  get isFull(): boolean {
    return this.waiting.size > this.coming;
  }

  /**
   * Takes a permit for each of `count` recipients. Resolves with 0 when the message may be sent; otherwise with the delay in
   * milliseconds before the next try.
   *
   * @param patience time limit in milliseconds
   * @param turn the lowest is first. Default: 0
   */
  take(count: number, patience: number, turn = 0): Promise<number> {
    if (this.returned >= count && !this.isFull) {
      this.returned -= count;
      return Promise.resolve(0);
    }
    if (this.wait > 0) return Promise.resolve(this.wait);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        count,
        turn,
        end: (wait) => {
          clearTimeout(timer);
          this.waiting.delete(waiter, turn);
          resolve(wait);
        },
      };
      const timer = setTimeout(() => waiter.end(AWAY), patience);
      this.waiting.add(waiter, turn);
      void this.takeAll();
    });
  }

  /** The message was not sent: its permits are for the next one of this process. */
  giveBack(count: number): void {
    this.returned += count;
  }

  /** One statement at a time, for all that wait. */
  private async takeAll(): Promise<void> {
    if (this.isTaking) return;
    this.isTaking = true;
    try {
      while (this.isFull) await this.takeSome();
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
    const { granted, wait } = await this.store.take(this.transport, wanted, limits, AHEAD, isOne);
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
    if (this.isFull && delay > 0) await pause(Math.min(delay, LONG));
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
    for (let n = 0; n < granted; n++) after(first + n * interval, () => this.handNext());
  }

  private handWhole(waiter: Waiter, delay: number): void {
    // It may have given up while its permits were taken.
    if (this.waiting.delete(waiter, waiter.turn)) after(delay, () => waiter.end(0));
    else this.giveBack(waiter.count);
  }

  /** The permit is for the message whose turn it is by now. */
  private handNext(): void {
    this.coming--;
    for (const waiter of this.waiting) {
      if (waiter.count > 1) continue;
      waiter.end(0);
      return;
    }
    this.giveBack(1);
  }

  private close(wait: number): void {
    this.closedUntil = this.now() + Math.min(wait, LONGEST);
    this.endAll(this.wait);
  }

  private endAll(wait: number): void {
    for (const waiter of this.waiting) waiter.end(wait);
  }
}

function after(delay: number, work: () => void): void {
  if (delay < 1) work();
  else setTimeout(work, delay);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
