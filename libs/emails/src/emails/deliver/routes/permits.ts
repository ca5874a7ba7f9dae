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
  end: (wait: number) => void;
}

/** Permits to give messages to a transport with limits. A message needs one for each recipient, all at once. */
export class Permits {
  private readonly waiting = new Set<Waiter>();
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
    return this.waiting.size > 0;
  }

  /**
   * Takes a permit for each of `count` recipients. Resolves with 0 when the message may be sent; otherwise with the delay in
   * milliseconds before the next try.
   *
   * @param patience time limit in milliseconds
   */
  take(count: number, patience: number): Promise<number> {
    if (this.returned >= count) {
      this.returned -= count;
      return Promise.resolve(0);
    }
    if (this.wait > 0) return Promise.resolve(this.wait);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        count,
        end: (wait) => {
          clearTimeout(timer);
          this.waiting.delete(waiter);
          resolve(wait);
        },
      };
      const timer = setTimeout(() => waiter.end(AWAY), patience);
      this.waiting.add(waiter);
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
      while (this.waiting.size > 0) await this.takeSome();
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
    if (this.waiting.size > 0 && delay > 0) await pause(Math.min(delay, LONG));
  }

  /** A message with several recipients, or those in front of the next such. */
  private nextGroup(): Waiter[] {
    const group: Waiter[] = [];
    for (const waiter of this.waiting) {
      if (waiter.count > 1) return group.length > 0 ? group : [waiter];
      group.push(waiter);
    }
    return group;
  }

  /** @param first milliseconds until the first permit. @param interval from one to the next */
  private hand(group: readonly Waiter[], granted: number, first: number, interval: number): void {
    let left = granted;
    let at = first;
    for (const waiter of group) {
      if (left < waiter.count) return;
      left -= waiter.count;
      this.later(waiter, at);
      at += waiter.count * interval;
    }
  }

  private later(waiter: Waiter, delay: number): void {
    // It may have given up while its permits were taken.
    if (!this.waiting.delete(waiter)) this.giveBack(waiter.count);
    else if (delay < 1) waiter.end(0);
    else setTimeout(() => waiter.end(0), delay);
  }

  private close(wait: number): void {
    this.closedUntil = this.now() + Math.min(wait, LONGEST);
    this.endAll(this.wait);
  }

  private endAll(wait: number): void {
    for (const waiter of this.waiting) waiter.end(wait);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
