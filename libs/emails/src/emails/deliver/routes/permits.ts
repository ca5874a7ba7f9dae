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
  /** Recipients that have no permit yet. */
  left: number;
  end: (wait: number) => void;
}

/** Permits to give recipients to a transport with limits. One is needed for each recipient of a message. */
export class Permits {
  private readonly waiting = new Set<Waiter>();
  private isTaking = false;
  private closedUntil = Number.NEGATIVE_INFINITY;

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
    if (this.wait > 0) return Promise.resolve(this.wait);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        left: count,
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
    const wanted = [...this.waiting].reduce((sum, { left }) => sum + left, 0);
    const { granted, wait } = await this.store.take(this.transport, wanted, limits, AHEAD);
    if (granted === 0 && wait > LONG) {
      this.closedUntil = this.now() + Math.min(wait, LONGEST);
      this.endAll(this.wait);
      return;
    }
    const interval = limits.perSecond === undefined ? 0 : 1_000 / limits.perSecond;
    this.hand(granted, wait, interval);
    // The next ones are asked for when these are half used.
    const delay = granted === 0 ? Math.min(Math.max(wait, 1), AHEAD) : wait + granted * interval - AHEAD / 2;
    if (this.waiting.size > 0 && delay > 0) await pause(delay);
  }

  /** @param first milliseconds until the first permit. @param interval from one to the next */
  private hand(granted: number, first: number, interval: number): void {
    let left = granted;
    let at = first;
    for (const waiter of this.waiting) {
      if (left === 0) return;
      const taken = Math.min(left, waiter.left);
      waiter.left -= taken;
      left -= taken;
      at += taken * interval;
      if (waiter.left > 0) return;
      // Its last permit is due an interval earlier.
      const delay = at - interval;
      this.waiting.delete(waiter);
      if (delay < 1) waiter.end(0);
      else setTimeout(() => waiter.end(0), delay);
    }
  }

  private endAll(wait: number): void {
    for (const waiter of this.waiting) waiter.end(wait);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
