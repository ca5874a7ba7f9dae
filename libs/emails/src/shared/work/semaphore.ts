import { FairLine } from './fair-line.js';

interface Waiter {
  owner: string;
  weight: number;
  end: (acquired: boolean) => void;
}

/**
 * Limits concurrent tasks by their total weight. The others wait in line, where owners take turns. A task above the limit
 * runs alone.
 */
export class Semaphore {
  private used = 0;
  private closed = false;
  private readonly line = new FairLine<Waiter>();

  constructor(private permits: number) {}

  /** Acquired permits. */
  get taken(): number {
    return this.used;
  }

  /** Acquires permits at once. False if too few are free, or others wait. */
  tryAcquire(weight = 1): boolean {
    return !this.closed && this.line.size === 0 && this.tryAcquireNow(weight);
  }

  /**
   * Acquires permits, to be returned with `release`. Resolves with false after the timeout, or when it is closed.
   *
   * @param patience timeout in milliseconds. Default: none
   * @param owner of the task. Default: one owner for all, whose tasks wait in order of arrival
   */
  acquire(weight = 1, patience?: number, owner = ''): Promise<boolean> {
    if (this.tryAcquire(weight)) return Promise.resolve(true);
    return this.closed ? Promise.resolve(false) : this.wait({ owner, weight }, patience);
  }

  release(weight = 1): void {
    this.used -= weight;
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
    for (let waiter = this.next(); waiter; waiter = this.next()) waiter.end(false);
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

  private tryAcquireNow(weight: number): boolean {
    if (this.used > 0 && this.used + weight > this.permits) return false;
    this.used += weight;
    return true;
  }

  private wait(task: Pick<Waiter, 'owner' | 'weight'>, patience: number | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => {
        waiter.end(false);
        // A lighter one after it may fit.
        this.admit();
      };
      const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
      const waiter: Waiter = {
        ...task,
        end: (acquired) => {
          clearTimeout(timer);
          if (acquired) this.line.serve(task.owner, waiter);
          else this.line.delete(task.owner, waiter);
          resolve(acquired);
        },
      };
      this.line.add(task.owner, waiter);
    });
  }

  private admit(): void {
    for (let waiter = this.next(); waiter && this.tryAcquireNow(waiter.weight); waiter = this.next()) waiter.end(true);
  }

  private next(): Waiter | undefined {
    const [first] = this.line.firsts();
    return first;
  }
}
