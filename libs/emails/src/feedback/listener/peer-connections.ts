/** Limits of connections. */
export interface ConnectionLimits {
  /** Of all networks. */
  all: number;
  /** Of a network that has sent to an accepted recipient. */
  ofPeer: number;
  /** Of another network. */
  ofStranger: number;
  /** Networks that are known to have sent to an accepted recipient; the first known is forgotten first. */
  known: number;
}

/** `refused`: by the limit of its network, or of all. `ended`: the connection to be ended in favour of it. */
export type Admission = { refused: 'network' | 'all' } | { isKnown: boolean; ended?: string | undefined };

interface Connection {
  network: string;
  /** True if its time is that of a stranger. */
  isStranger: boolean;
  /** True while its message is recorded: it does not wait for its peer. */
  isBusy: boolean;
}

/** Shares the connections of the listener among the networks of its clients. */
export class PeerConnections {
  /** By id. Those that wait for their peers for the longest time come first. */
  private readonly open = new Map<string, Connection>();
  private readonly known = new Set<string>();

  constructor(private readonly limits: ConnectionLimits) {}

  /**
   * Admits a connection, or refuses it. When all are in use, a network with fewer connections gets one of the network that
   * has most.
   */
  admit(id: string, network: string): Admission {
    const isKnown = this.known.has(network);
    const own = this.countOf(network);
    if (own >= (isKnown ? this.limits.ofPeer : this.limits.ofStranger)) return { refused: 'network' };
    const isFull = this.open.size >= this.limits.all;
    const ended = isFull ? this.idleOfLargest(own) : undefined;
    if (isFull && ended === undefined) return { refused: 'all' };
    if (ended !== undefined) this.open.delete(ended);
    this.open.set(id, { network, isStranger: !isKnown, isBusy: false });
    return { isKnown, ended };
  }

  /**
   * Notes that a connection sent to an accepted recipient.
   *
   * @returns true if its time was that of a stranger until now
   */
  meet(id: string, network: string): boolean {
    this.known.add(network);
    const [first] = this.known;
    if (this.known.size > this.limits.known && first !== undefined) this.known.delete(first);
    const connection = this.open.get(id);
    const wasStranger = connection?.isStranger === true;
    if (connection) this.moveToEnd(id, { ...connection, isStranger: false });
    return wasStranger;
  }

  /** Notes that the message of a connection is being recorded, or was. */
  setBusy(id: string, isBusy: boolean): void {
    const connection = this.open.get(id);
    if (connection) this.moveToEnd(id, { ...connection, isBusy });
  }

  /** Forgets a connection that ended. */
  remove(id: string): void {
    this.open.delete(id);
  }

  private moveToEnd(id: string, connection: Connection): void {
    this.open.delete(id);
    this.open.set(id, connection);
  }

  private countOf(network: string): number {
    return [...this.open.values()].filter((one) => one.network === network).length;
  }

  /** The first idle connection of the network that has most, and more than the new one would have: `own` and one. */
  private idleOfLargest(own: number): string | undefined {
    let found: { id: string; count: number } | undefined;
    for (const [id, { network, isBusy }] of this.open) {
      const count = this.countOf(network);
      if (!isBusy && count > (found?.count ?? own + 1)) found = { id, count };
    }
    return found?.id;
  }
}
