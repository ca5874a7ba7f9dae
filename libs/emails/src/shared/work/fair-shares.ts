import { FairLine } from './fair-line.js';

interface Waiter {
  owner: string;
  enter: () => void;
}

/**
 * Lets a set number of tasks run at the same time and keeps room for owners that have few of them: an owner may begin one
 * more while it has fewer than a share of what is free. (Switches share a buffer in this way: Choudhury and Hahne, "Dynamic
 * Queue Length Thresholds", 1998.) With a share of a quarter one owner gets a fifth of the permits; where 21 owners want more
 * than there are, each gets a 25th, and as much as four of them have is free for the next. The others wait in a line in which
 * owners take turns.
 */
export class FairShares {
  private readonly line = new FairLine<Waiter>();
  private readonly taken = new Map<string, number>();

  constructor(
    private free: number,
    private readonly share: number,
  ) {}

  /** Resolves with the function that gives the permit back; rejects with the signal's reason when that is aborted before. */
  take(owner: string, signal: AbortSignal): Promise<() => void> {
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
    return (this.taken.get(owner) ?? 0) < this.free * this.share;
  }

  private occupy(owner: string): () => void {
    this.free--;
    this.taken.set(owner, (this.taken.get(owner) ?? 0) + 1);
    return () => this.giveBack(owner);
  }

  private giveBack(owner: string): void {
    this.free++;
    const left = (this.taken.get(owner) ?? 0) - 1;
    if (left > 0) this.taken.set(owner, left);
    else this.taken.delete(owner);
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
