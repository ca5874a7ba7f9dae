interface Waiter {
  weight: number;
  end: (taken: boolean) => void;
}

/**
 * Lets tasks run at the same time as long as they weigh no more than its permits together; the others wait in line. One
 * that weighs more than all permits is let in alone.
 */
export class Semaphore {
  private used = 0;
  private closed = false;
  /** In order of arrival. */
  private readonly line = new Set<Waiter>();

  constructor(private permits: number) {}

  /** Permits that are taken. */
  get taken(): number {
    return this.used;
  }

  /** Takes permits at once. False when there are not so many, or others wait. */
  tryAcquire(weight = 1): boolean {
    return !this.closed && this.line.size === 0 && this.take(weight);
  }

  /**
   * Takes permits, which `release` gives back. Resolves with false when there were none in time, or when it is closed.
   *
   * @param patience milliseconds to wait. Default: as long as it takes
   */
  acquire(weight = 1, patience?: number): Promise<boolean> {
    if (this.tryAcquire(weight)) return Promise.resolve(true);
    return this.closed ? Promise.resolve(false) : this.wait(weight, patience);
  }

  release(weight = 1): void {
    this.used -= weight;
    this.admit();
  }

  /** Changes how many permits there are. Those that are taken stay so. */
  resize(permits: number): void {
    this.permits = permits;
    this.admit();
  }

  /** Sends away whoever waits, and whoever comes. */
  close(): void {
    this.closed = true;
    for (const { end } of this.line) end(false);
  }

  /** Runs the task as soon as there is a permit: at once, if there is. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (!this.tryAcquire() && !(await this.acquire())) throw new Error('This semaphore is closed.');
    try {
      return await task();
    } finally {
      this.release();
    }
  }

  private take(weight: number): boolean {
    if (this.used > 0 && this.used + weight > this.permits) return false;
    this.used += weight;
    return true;
  }

  private wait(weight: number, patience: number | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => {
        waiter.end(false);
        // A lighter one behind it may fit.
        this.admit();
      };
      const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
      const waiter: Waiter = {
        weight,
        end: (taken) => {
          clearTimeout(timer);
          this.line.delete(waiter);
          resolve(taken);
        },
      };
      this.line.add(waiter);
    });
  }

  private admit(): void {
    for (const { weight, end } of this.line) {
      if (!this.take(weight)) return;
      end(true);
    }
  }
}
