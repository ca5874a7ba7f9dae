/** Whose turn it is of webhooks that cannot all be served at once. */
export class Turns {
  /** The one that was begun last: the next in turn is behind it. */
  private last = '';

  /** Those behind the one that was begun last come first, so that each has its turn. */
  inTurn(ids: readonly string[]): string[] {
    const sorted = ids.toSorted();
    const next = sorted.findIndex((id) => id > this.last);
    return next > 0 ? [...sorted.slice(next), ...sorted.slice(0, next)] : sorted;
  }

  began(id: string): void {
    this.last = id;
  }
}
