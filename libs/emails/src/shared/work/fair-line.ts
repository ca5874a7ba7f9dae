/**
 * A line in which owners take turns, each with his first in it: however many one has, every other waits for one of them
 * only. An owner who was served, or is new, goes behind all others.
 */
export class FairLine<Waiter> {
  private readonly owners = new Map<string, Set<Waiter>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** How many wait for this owner. */
  sizeOf(owner: string): number {
    return this.owners.get(owner)?.size ?? 0;
  }

  add(owner: string, waiter: Waiter): void {
    const own = this.owners.get(owner);
    if (own) own.add(waiter);
    else this.owners.set(owner, new Set([waiter]));
    this.count++;
  }

  /** For whoever waits no longer, served or not. */
  delete(owner: string, waiter: Waiter): void {
    const own = this.owners.get(owner);
    if (!own?.delete(waiter)) return;
    this.count--;
    if (own.size === 0) this.owners.delete(owner);
  }

  /** Takes the waiter out as served. */
  serve(owner: string, waiter: Waiter): void {
    const own = this.owners.get(owner);
    this.delete(owner, waiter);
    if (!own?.size) return;
    this.owners.delete(owner);
    this.owners.set(owner, own);
  }

  /** The first of each owner, in the order of their turns. Must not be changed meanwhile. */
  *firsts(): Generator<Waiter> {
    for (const [first] of this.owners.values()) yield first as Waiter;
  }
}
