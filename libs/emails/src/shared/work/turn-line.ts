/** Waiting items by their turns: the lowest first; among equal turns, in order of arrival. */
export class TurnLine<T> implements Iterable<T> {
  /** Ascending. */
  private readonly turns: number[] = [];
  private readonly items = new Map<number, Set<T>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  get first(): T | undefined {
    for (const item of this) return item;
    return undefined;
  }

  add(item: T, turn: number): void {
    let same = this.items.get(turn);
    if (!same) {
      same = new Set();
      this.items.set(turn, same);
      this.turns.splice(this.placeOf(turn), 0, turn);
    }
    if (!same.has(item)) this.count++;
    same.add(item);
  }

  /** @param turn as given to `add`. @returns whether it waited */
  delete(item: T, turn: number): boolean {
    const same = this.items.get(turn);
    if (!same?.delete(item)) return false;
    this.count--;
    if (same.size > 0) return true;
    this.items.delete(turn);
    this.turns.splice(this.placeOf(turn), 1);
    return true;
  }

  /** An item may be deleted while it is looked at. */
  *[Symbol.iterator](): Generator<T> {
    for (let at = 0; at < this.turns.length; ) {
      const turn = this.turns[at] as number;
      yield* this.items.get(turn) ?? [];
      if (this.turns[at] === turn) at++;
    }
  }

  /** The number of lower turns. */
  private placeOf(turn: number): number {
    let from = 0;
    let to = this.turns.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.turns[middle] as number) < turn) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
