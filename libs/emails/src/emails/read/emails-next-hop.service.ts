import type { Degradation, KnownNextHop, NextHopStatus } from '../ports/next-hop-status.js';
import type { DeliveryRepository } from '../storage/deliver/delivery.repository.js';

/** Limit of the counts. */
const COUNTED = 100_000;
/** A status this old is read again. Milliseconds. */
const FRESH = 2_000;
/** From this wait of a due email on, mail is late. Milliseconds. */
const LATE = 60_000;

type Store = Pick<DeliveryRepository, 'due' | 'whyWaiting'>;

/**
 * The next hop: whether it is down, since when and why, and how many emails wait for it. A process without workers
 * tells that by the emails that wait.
 *
 * @example
 * ```ts
 * const { name, state, waiting } = await app.get(EmailsNextHop).status();
 * if (state === 'down') console.warn(`${waiting} emails wait for ${name}.`);
 * ```
 */
export class EmailsNextHop {
  private reading: { at: number; status: Promise<NextHopStatus> } | undefined;

  /**
   * @internal Made by `EmailsModule`.
   * @param known undefined where this process does not deliver
   */
  constructor(
    private readonly name: string,
    private readonly repository: Store,
    private readonly known: (() => KnownNextHop) | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** The present status, at most two seconds old, so that many pages may ask for it. Rejects while PostgreSQL is away. */
  async status(): Promise<NextHopStatus> {
    const age = this.now() - (this.reading?.at ?? Number.NEGATIVE_INFINITY);
    if (!this.reading || age < 0 || age >= FRESH) this.reading = { at: this.now(), status: this.read() };
    const { reading } = this;
    try {
      return await reading.status;
    } catch (error) {
      if (this.reading === reading) this.reading = undefined;
      throw error;
    }
  }

  /** Why mail is late; null while it is not. Rejects while PostgreSQL is away. */
  async degradation(): Promise<Degradation | null> {
    const { state, since, name, waiting, due, oldestDue } = await this.status();
    if (state === 'down' && since) return { since, what: 'next_hop', hop: name, waiting };
    if (oldestDue < LATE) return null;
    return { since: new Date(this.now() - oldestDue), what: 'late', hop: name, waiting: due };
  }

  private async read(): Promise<NextHopStatus> {
    const { count, oldestAge, waiting, oldestWaiting } = await this.repository.due(COUNTED);
    const known = this.known?.();
    const isDown = known ? known.downSince !== null : waiting > 0;
    const error = known ? known.error : isDown && (await this.repository.whyWaiting());
    return {
      name: this.name,
      state: isDown ? 'down' : known ? 'up' : 'unknown',
      since: isDown ? earlier(known?.downSince, this.now() - oldestWaiting) : null,
      error: error ? withoutAddresses(error) : null,
      lastSuccess: known?.lastSuccess ?? null,
      waiting,
      oldestWaiting,
      due: count,
      oldestDue: oldestAge,
      recent: known ? { acceptedPerMinute: known.acceptedPerMinute, destinations: known.destinations } : null,
    };
  }
}

/** An outage may be older than this process. */
function earlier(one: Date | null | undefined, other: number): Date {
  return new Date(Math.min(one?.getTime() ?? other, other));
}

/** A server's words may quote the sender. */
function withoutAddresses(text: string): string {
  return text.replace(/[^\s@]*@\S*/g, '…');
}
