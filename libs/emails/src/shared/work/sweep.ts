import { PeriodicTask } from './periodic-task.js';

/** Found by one look, and by one that follows at once. */
const BATCH = 500;
const LARGE_BATCH = 5_000;

export interface SweepOptions<Place> {
  /**
   * Finds up to `limit` of what is due, that which has been due for longest first, or what comes behind `place`. Resolves
   * with the place it came to, when there is more behind it.
   */
  look: (limit: number, place?: Place) => Promise<Place | undefined>;
  /** Milliseconds between two sweeps. */
  interval: number;
  /** Whether this process could work on more than it is given. */
  isIdle: () => boolean;
  /** Told of every sweep that rejected. */
  onFailure: (error: unknown) => void;
}

/**
 * Looks again and again for what is due in PostgreSQL. A look that finds as many as it may is followed by another one as
 * soon as this process has not enough to do. Any number of processes may sweep.
 */
export class Sweep<Place> {
  private readonly task: PeriodicTask;
  /** Where the last look came to, when there is more. */
  private place: Place | undefined;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: SweepOptions<Place>) {
    this.task = new PeriodicTask(() => this.once(), options.interval, options.onFailure);
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  /** Resolves with true when it should be called again soon. */
  async once(): Promise<boolean> {
    const { look, interval, isIdle } = this.options;
    if (performance.now() - this.lookedAt >= interval || this.place === undefined) {
      this.lookedAt = performance.now();
      const more = await look(BATCH);
      // What nobody can work on may stand at the head for long.
      this.place = this.place === undefined ? more : await look(BATCH, this.place);
    } else if (isIdle()) {
      this.place = await look(LARGE_BATCH, this.place);
    }
    return this.place !== undefined;
  }
}
