import { FairLine } from './fair-line.js';

/** Owners that may keep their turn: each such task keeps a place of a worker from others. */
const MAX_TURNS = 20;

interface Waiter {
  owner: string;
  bytes: number;
  enter: () => void;
}

/**
 * Limits the bytes that tasks hold together. The others wait in line, where owners take turns, first those that hold
 * nothing.
 *
 * While several owners hold bytes or wait, each gets at most half of the limit, or one larger task. For the others it
 * counts at most as half: an owner that acquired everything while it was alone still leaves room for the next one at
 * once, however long its tasks take. The price is memory above the limit until they end.
 */
export class FairBytes {
  private readonly held = new Map<string, number>();
  private readonly line = new FairLine<Waiter>();
  private readonly half: number;

  constructor(private readonly limit: number) {
    this.half = Math.floor(limit / 2);
  }

  /** True if no bytes are held. Then nothing waits. */
  get isIdle(): boolean {
    return this.held.size === 0;
  }

  /**
   * Acquires bytes, to be returned with `release`. Resolves with false after the timeout.
   *
   * @param patience timeout in milliseconds
   * @param keepsTurn waits longer while its owner holds nothing and it is the owner's next task. An owner with many tasks
   * always has one in line, and would acquire whatever is released while the others are away
   */
  acquire(owner: string, bytes: number, patience: number, keepsTurn = false): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => {
        if (keepsTurn && this.isNext(waiter)) {
          timer = setTimeout(giveUp, patience);
          return;
        }
        this.line.delete(owner, waiter);
        resolve(false);
        // A smaller task behind it may fit.
        this.admit();
      };
      let timer = setTimeout(giveUp, patience);
      const enter = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const waiter = { owner, bytes, enter };
      this.line.add(owner, waiter);
      this.admit();
    });
  }

  release(owner: string, bytes: number): void {
    const left = this.heldBy(owner) - bytes;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    this.admit();
  }

  private admit(): void {
    for (let next = this.next(); next; next = this.next()) {
      const { owner, bytes } = next;
      this.line.serve(owner, next);
      this.held.set(owner, this.heldBy(owner) + bytes);
      next.enter();
    }
  }

  /** A task that waits only for other owners is never skipped, or smaller ones could keep it waiting forever. */
  private next(): Waiter | undefined {
    const share = this.isShared() ? this.half : this.limit;
    for (const waiter of this.inOrder()) {
      const own = this.heldBy(waiter.owner);
      if (own > 0 && own + waiter.bytes > share) continue;
      const counted = Math.min(own + waiter.bytes, this.half);
      return this.heldByOthers(waiter.owner) + counted <= this.limit ? waiter : undefined;
    }
    return undefined;
  }

  /** The next task of each owner, first of those that hold nothing. */
  private inOrder(): Waiter[] {
    const firsts = [...this.line.firsts()];
    return [...firsts.filter(this.holdsNothing), ...firsts.filter((waiter) => !this.holdsNothing(waiter))];
  }

  private isNext(waiter: Waiter): boolean {
    return this.holdsNothing(waiter) && this.inOrder().slice(0, MAX_TURNS).includes(waiter);
  }

  private readonly holdsNothing = ({ owner }: Waiter) => !this.held.has(owner);

  private isShared(): boolean {
    const owners = new Set(this.held.keys());
    for (const { owner } of this.line.firsts()) owners.add(owner);
    return owners.size > 1;
  }

  private heldBy(owner: string): number {
    return this.held.get(owner) ?? 0;
  }

  private heldByOthers(owner: string): number {
    let sum = 0;
    for (const [other, bytes] of this.held) if (other !== owner) sum += Math.min(bytes, this.half);
    return sum;
  }
}
