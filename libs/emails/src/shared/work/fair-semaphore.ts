import { FairLine } from './fair-line.js';

interface Waiter {
  owner: string;
  enter: () => void;
}

/**
 * Lets a set number of tasks run at the same time. It does more than a `Semaphore`: half of the permits are for one
 * owner at most, and the others wait in a line in which owners take turns.
 *
 * A `ByteBudget` cannot do it beside what it does for fetched files. It counts what has come, and of a server that
 * keeps silent nothing has; if fetches claimed what may come, 29 of 40 MB, one could begin in place of 16. And whoever
 * holds bytes may need a permit to get on, so that one line for both could come to a stand.
 */
export class FairSemaphore {
  private readonly line = new FairLine<Waiter>();
  private readonly taken = new Map<string, number>();
  private readonly each: number;

  constructor(private free: number) {
    this.each = Math.max(1, Math.floor(free / 2));
  }

  /**
   * The function that gives the permit back, which may be called twice; a promise of it when there is a wait, which rejects
   * with the signal's reason when that is aborted.
   */
  take(owner: string, signal?: AbortSignal): (() => void) | Promise<() => void> {
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
    this.taken.set(owner, (this.taken.get(owner) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.giveBack(owner);
      isTaken = false;
    };
  }

  private giveBack(owner: string): void {
    this.free++;
    const left = (this.taken.get(owner) ?? 0) - 1;
    if (left > 0) this.taken.set(owner, left);
    else this.taken.delete(owner);
    const next = [...this.line.firsts()].find((first) => !this.hasAll(first.owner));
    if (!next) return;
    this.line.serve(next.owner, next);
    next.enter();
  }

  private hasAll(owner: string): boolean {
    return (this.taken.get(owner) ?? 0) >= this.each;
  }
}
