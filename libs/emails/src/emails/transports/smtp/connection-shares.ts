import type { Destination } from '../../ports/email-transport.js';

/**
 * Divides connections among destinations, so that any number of hanging destinations leaves some free. Half of the
 * connections are for any message. The third quarter is for destinations that have no message in progress and were not
 * slow, the last for those of them that are known to answer quickly. Messages without a destination have no limit.
 */
export class ConnectionShares {
  /** Messages in progress, to any destination. */
  private all = 0;
  private readonly underway = new Map<string, number>();

  /** @param connections limit of connections */
  constructor(private readonly connections: () => number) {}

  get size(): number {
    return this.all;
  }

  acquire(destination: Destination | undefined): void {
    this.all++;
    if (destination) this.underway.set(destination.name, (this.underway.get(destination.name) ?? 0) + 1);
  }

  /** @param name of the destination */
  release(name: string | undefined): void {
    this.all--;
    if (name === undefined) return;
    const left = (this.underway.get(name) ?? 1) - 1;
    if (left > 0) this.underway.set(name, left);
    else this.underway.delete(name);
  }

  mayAcquire(destination: Destination | undefined): boolean {
    if (!destination) return true;
    const connections = this.connections();
    return this.all < connections - this.quartersKeptFrom(destination) * Math.floor(connections / 4);
  }

  private quartersKeptFrom({ name, speed }: Destination): number {
    if (speed === 'slow' || this.underway.has(name)) return 2;
    return speed === 'quick' ? 0 : 1;
  }
}
