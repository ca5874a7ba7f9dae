/** Round-robin order of webhooks that cannot all be served at once. */
export class Turns {
  /** The webhook that was started last; the next turn begins after it. */
  private last = '';

  /** Sorts the webhooks after the last started one to the front, so that each gets its turn. */
  inTurn(ids: readonly string[]): string[] {
    const sorted = ids.toSorted();
    const next = sorted.findIndex((id) => id > this.last);
    return next > 0 ? [...sorted.slice(next), ...sorted.slice(0, next)] : sorted;
  }

  began(id: string): void {
    this.last = id;
  }
}
