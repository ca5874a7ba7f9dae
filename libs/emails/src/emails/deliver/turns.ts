import { RecentCount } from '../../shared/work/recent-count.js';
import { TurnLine } from '../../shared/work/turn-line.js';

/** A turn that comes within this time is near. It is much shorter than the policies' answers hold. Milliseconds. */
const NEAR = 250;

interface Waiter {
  whenNear: (() => void) | undefined;
  number: number;
}

/**
 * Calls waiting tasks when their turn is near. Turns come in order of their numbers; how many came recently predicts when
 * the next ones come.
 */
export class Turns {
  /** Waiting tasks that were not called yet. */
  private readonly far = new TurnLine<Waiter>();
  /** Number of waiting tasks that were called. */
  private called = 0;
  private readonly released: RecentCount;

  constructor(now: () => number) {
    this.released = new RecentCount(NEAR, now);
  }

  /**
   * Runs a task that waits for a turn.
   *
   * @param whenNear called once when the turn is near. Not called without a prediction, or when the turn comes first
   * @param turn resolves when it has come
   * @param number the lowest is first. Default: 0
   */
  async wait<T>(whenNear: (() => void) | undefined, turn: () => Promise<T>, number = 0): Promise<T> {
    const waiter: Waiter = { whenNear, number };
    this.far.add(waiter, number);
    this.call();
    try {
      return await turn();
    } finally {
      if (!this.far.delete(waiter, number)) this.called--;
    }
  }

  /** Ends a turn; `release` frees it. */
  release(release: () => void): void {
    this.released.add();
    release();
    this.call();
  }

  /** Calls as many waiting tasks as turns were released in the time that is near. */
  private call(): void {
    const { most } = this.released;
    for (const waiter of this.far) {
      if (this.called >= most) return;
      this.far.delete(waiter, waiter.number);
      this.called++;
      waiter.whenNear?.();
    }
  }
}
