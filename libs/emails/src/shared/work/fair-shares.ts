import { FairLine } from './fair-line.js';

interface Waiter {
  owner: string;
  enter: () => void;
}

/**
 * Limits concurrent tasks and reserves permits for owners with few of them: an owner may start one more while it has
 * fewer than a share of the free permits. (Switches share a buffer in this way: Choudhury and Hahne, "Dynamic Queue
 * Length Thresholds", 1998.) With a share of a quarter one owner gets a fifth of the permits; if 21 owners want more
 * than exist, each gets a 25th, and the amount of four of them stays free for the next. Waiting owners take turns.
 */
export class FairShares {
  private readonly line = new FairLine<Waiter>();
  private readonly acquired = new Map<string, number>();

  constructor(
    private free: number,
    private readonly share: number,
  ) {}

  /** Resolves with the function that releases the permit; rejects with the signal's reason on an earlier abort. */
  acquire(owner: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.mayBegin(owner)) return resolve(this.occupy(owner));
      const abort = () => {
        this.line.delete(owner, waiter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', abort);
        resolve(this.occupy(owner));
      };
      const waiter = { owner, enter };
      signal.addEventListener('abort', abort);
      this.line.add(owner, waiter);
    });
  }

  private mayBegin(owner: string): boolean {
    return (this.acquired.get(owner) ?? 0) < this.free * this.share;
  }

  private occupy(owner: string): () => void {
    this.free--;
    this.acquired.set(owner, (this.acquired.get(owner) ?? 0) + 1);
    return () => this.release(owner);
  }

  private release(owner: string): void {
    this.free++;
    const left = (this.acquired.get(owner) ?? 0) - 1;
    if (left > 0) this.acquired.set(owner, left);
    else this.acquired.delete(owner);
    for (let next = this.next(); next; next = this.next()) {
      this.line.serve(next.owner, next);
      next.enter();
    }
  }

  private next(): Waiter | undefined {
    for (const first of this.line.firsts()) if (this.mayBegin(first.owner)) return first;
    return undefined;
  }
}
