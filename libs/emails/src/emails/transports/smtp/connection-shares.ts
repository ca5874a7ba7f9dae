/** The share of the connections that is left to destinations without a message on any. */
const RESERVED = 1 / 4;

/**
 * Divides connections among destinations. The last quarter is for those that have no message under way, so that no
 * number of messages to destinations that hang holds up all others. Messages without a destination have no limit.
 */
export class ConnectionShares {
  /** Messages under way, to any destination. */
  private all = 0;
  private readonly underway = new Map<string, number>();

  /** @param connections how many there are at most */
  constructor(private readonly connections: () => number) {}

  get size(): number {
    return this.all;
  }

  take(destination: string | undefined): void {
    this.all++;
    if (destination !== undefined) this.underway.set(destination, (this.underway.get(destination) ?? 0) + 1);
  }

  leave(destination: string | undefined): void {
    this.all--;
    if (destination === undefined) return;
    const left = (this.underway.get(destination) ?? 1) - 1;
    if (left > 0) this.underway.set(destination, left);
    else this.underway.delete(destination);
  }

  mayTake(destination: string | undefined): boolean {
    if (destination === undefined || !this.underway.has(destination)) return true;
    const connections = this.connections();
    return this.all < connections - Math.floor(connections * RESERVED);
  }
}
