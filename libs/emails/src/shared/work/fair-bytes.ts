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
 * least.
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
   * @param keepsTurn waits longer while it is the owner's next task, and waits only for others. An owner with many tasks
   * always has one in line, and would acquire whatever is released while the others are away
   */
  acquire(owner: string, bytes: number, patience: number, keepsTurn = false): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => {
        if (keepsTurn && this.keepsTurn(waiter)) {
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
    const [first] = this.inOrder();
    if (!first) return undefined;
    const counted = Math.min(this.heldBy(first.owner) + first.bytes, this.half);
    return this.heldByOthers(first.owner) + counted <= this.limit ? first : undefined;
  }

  /** The next task of each owner that waits only for others, first of the owner that holds least. */
  private inOrder(): Waiter[] {
    const share = this.isShared() ? this.half : this.limit;
    return [...this.line.firsts()]
      .filter(({ owner, bytes }) => !this.held.has(owner) || this.heldBy(owner) + bytes <= share)
      .sort((a, b) => this.heldBy(a.owner) - this.heldBy(b.owner));
  }

  private keepsTurn(waiter: Waiter): boolean {
    return this.inOrder().slice(0, MAX_TURNS).includes(waiter);
  }

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
