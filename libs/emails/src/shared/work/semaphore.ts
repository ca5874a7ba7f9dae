import { TurnLine } from './turn-line.js';

/** Limits concurrent tasks. The others wait for their turns, by default in order of arrival. */
export class Semaphore {
  private used = 0;
  private closed = false;
  private readonly waiting = new TurnLine<(acquired: boolean) => void>();

  constructor(private permits: number) {}

  /** Acquired permits. */
  get taken(): number {
    return this.used;
  }

  /** True if `tryAcquire` would acquire one. */
  get isFree(): boolean {
    return !this.closed && this.used < this.permits;
  }

  /** Acquires a permit at once. False if none is free. */
  tryAcquire(): boolean {
    if (!this.isFree) return false;
    this.used++;
    return true;
  }

  /**
   * Acquires a permit, to be returned with `release`. Resolves with false after the timeout, or when it is closed.
   *
   * @param patience timeout in milliseconds. Default: none
   * @param turn the lowest is first. Default: 0
   */
  acquire(patience?: number, turn = 0): Promise<boolean> {
    if (this.tryAcquire()) return Promise.resolve(true);
    return this.closed ? Promise.resolve(false) : this.wait(patience, turn);
  }

  release(): void {
    this.used--;
    this.admit();
  }

  /** Changes the number of permits. Acquired ones stay acquired. */
  resize(permits: number): void {
    this.permits = permits;
    this.admit();
  }

  /** Refuses all waiting and all new tasks. */
  close(): void {
    this.closed = true;
    for (const end of this.waiting) end(false);
  }

  /** Runs the task as soon as a permit is free. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (!this.tryAcquire() && !(await this.acquire())) throw new Error('This semaphore is closed.');
    try {
      return await task();
    } finally {
      this.release();
    }
  }

  private wait(patience: number | undefined, turn: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (acquired: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(end, turn);
        resolve(acquired);
      };
      const timer = patience === undefined ? undefined : setTimeout(end, patience, false);
      this.waiting.add(end, turn);
    });
  }

  private admit(): void {
    for (const end of this.waiting) {
      if (!this.tryAcquire()) return;
      end(true);
    }
  }
}
