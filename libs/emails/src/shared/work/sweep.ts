import { PeriodicTask } from './periodic-task.js';

/** Limits of a poll, and of one that follows at once. */
const BATCH = 500;
const LARGE_BATCH = 5_000;

export interface SweepOptions<Place> {
  /**
   * Finds up to `limit` due rows, the longest due first, or those after `place`. Resolves with its last position if
   * there are more.
   */
  look: (limit: number, position?: Place) => Promise<Place | undefined>;
  /** Milliseconds between two sweeps. */
  interval: number;
  /** True if this process has free capacity. */
  isIdle: () => boolean;
  /** Called for every sweep that rejects. */
  onFailure: (error: unknown) => void;
}

/**
 * Polls PostgreSQL for due rows. A poll that reaches its limit is followed by another one as soon as this process has
 * free capacity. Any number of processes may sweep.
 */
export class Sweep<Place> {
  private readonly task: PeriodicTask;
  /** Position after the last poll, if there are more rows. */
  private position: Place | undefined;
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
    if (performance.now() - this.lookedAt >= interval || this.position === undefined) {
      this.lookedAt = performance.now();
      const more = await look(BATCH);
      // Rows that no worker can process may stay at the head for long.
      this.position = this.position === undefined ? more : await look(BATCH, this.position);
    } else if (isIdle()) {
      this.position = await look(LARGE_BATCH, this.position);
    }
    return this.position !== undefined;
  }
}
