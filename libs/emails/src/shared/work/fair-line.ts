/**
 * A queue in which owners take turns, each with its oldest entry: other owners wait for only one entry of an owner,
 * regardless of its number. A served or new owner goes to the end.
 */
export class FairLine<Waiter> {
  private readonly owners = new Map<string, Set<Waiter>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Number of waiting entries of this owner. */
  sizeOf(owner: string): number {
    return this.owners.get(owner)?.size ?? 0;
  }

  add(owner: string, waiter: Waiter): void {
    const own = this.owners.get(owner);
    if (own) own.add(waiter);
    else this.owners.set(owner, new Set([waiter]));
    this.count++;
  }

  /** Removes an entry that no longer waits, served or not. */
  delete(owner: string, waiter: Waiter): void {
    const own = this.owners.get(owner);
    if (!own?.delete(waiter)) return;
    this.count--;
    if (own.size === 0) this.owners.delete(owner);
  }

  /** Removes the waiter as served. */
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
