import { FairLine } from './fair-line.js';

interface Waiter {
  owner: string;
  enter: () => void;
}

/**
 * Limits concurrent tasks. Unlike a `Semaphore`, one owner gets at most half of the permits, and waiting owners take
 * turns.
 *
 * A `ByteBudget` cannot do this for fetched files as well. It counts received bytes, and a silent server sends none; if
 * fetches claimed their maximum, 29 of 40 MB, only one could start instead of 16. Besides, a fetch that holds bytes may
 * need a permit to continue, so that one queue for both could deadlock.
 */
export class FairSemaphore {
  private readonly line = new FairLine<Waiter>();
  private readonly acquired = new Map<string, number>();
  private readonly each: number;

  constructor(private free: number) {
    this.each = Math.max(1, Math.floor(free / 2));
  }

  /**
   * Returns the function that releases the permit, which may be called twice. Returns a promise of it if it has to
   * wait, which rejects with the signal's reason on abort.
   */
  acquire(owner: string, signal?: AbortSignal): (() => void) | Promise<() => void> {
    if (this.free === 0 || this.hasAll(owner)) return this.wait(owner, signal);
    return this.occupy(owner);
  }

  private wait(owner: string, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.line.delete(owner, waiter);
        reject(signal?.reason);
      };
      const enter = () => {
        signal?.removeEventListener('abort', abort);
        resolve(this.occupy(owner));
      };
      const waiter = { owner, enter };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', abort);
      this.line.add(owner, waiter);
    });
  }

  private occupy(owner: string): () => void {
    this.free--;
    this.acquired.set(owner, (this.acquired.get(owner) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.release(owner);
      isHeld = false;
    };
  }

  private release(owner: string): void {
    this.free++;
    const left = (this.acquired.get(owner) ?? 0) - 1;
    if (left > 0) this.acquired.set(owner, left);
    else this.acquired.delete(owner);
    const next = [...this.line.firsts()].find((first) => !this.hasAll(first.owner));
    if (!next) return;
    this.line.serve(next.owner, next);
    next.enter();
  }

  private hasAll(owner: string): boolean {
    return (this.acquired.get(owner) ?? 0) >= this.each;
  }
}
