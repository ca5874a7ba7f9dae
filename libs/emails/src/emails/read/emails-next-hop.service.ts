import type {
  Degradation,
  KnownNextHop,
  KnownNextHops,
  NextHopStatus,
  TransportStatus,
} from '../ports/next-hop-status.js';
import type { DeliveryRepository } from '../storage/deliver/delivery.repository.js';
import type { PermitLimits, PermitsRepository } from '../storage/deliver/permits.repository.js';

/** Limit of the counts. */
const COUNTED = 100_000;
/** A status this old is read again. Milliseconds. */
const FRESH = 2_000;
/** From this wait of a due email on, mail is late. Milliseconds. */
const LATE = 60_000;

/** A transport and its limits, if it has any. */
export interface LimitedTransport {
  name: string;
  limits: (() => PermitLimits) | undefined;
}

type Store = Pick<DeliveryRepository, 'due' | 'whyWaiting'>;

/**
 * The next hops: whether one is down, since when and why, and how many emails wait. A process without workers tells that
 * by the emails that wait.
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
   * @param transports all of them, with their limits as of now
   * @param known the same transports; undefined where this process does not deliver
   */
  constructor(
    private readonly transports: readonly LimitedTransport[],
    private readonly repository: Store,
    private readonly permits: Pick<PermitsRepository, 'used'>,
    private readonly known: (() => KnownNextHops) | undefined,
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
    const { hops: known, recent = null } = this.known?.() ?? {};
    const limited = this.transports.filter(({ limits }) => limits !== undefined).map(({ name }) => name);
    const used = limited.length > 0 ? await this.permits.used(limited) : new Map<string, number>();
    const down = known?.filter(({ downSince }) => downSince !== null) ?? [];
    const isDown = known ? down.length === known.length || (down.length > 0 && waiting > 0) : waiting > 0;
    const about = isDown && known ? down : known;
    const error = about
      ? about.find((one) => one.error !== null)?.error
      : isDown && (await this.repository.whyWaiting());
    return {
      name: (about ?? this.transports).map(({ name }) => name).join(', '),
      state: isDown ? 'down' : known ? 'up' : 'unknown',
      since: isDown ? earliest(down, this.now() - oldestWaiting) : null,
      error: error ? withoutAddresses(error) : null,
      lastSuccess: known ? lastSuccessOf(known) : null,
      waiting,
      oldestWaiting,
      due: count,
      oldestDue: oldestAge,
      recent,
      transports: this.transports.map(({ name, limits }) => {
        const { perSecond = null, perDay = null } = limits?.() ?? {};
        const usedToday = limits ? (used.get(name) ?? 0) : null;
        return { name, ...stateOf(known?.find((one) => one.name === name)), perSecond, perDay, usedToday };
      }),
    };
  }
}

/** An outage may be older than this process. */
function earliest(down: readonly KnownNextHop[], other: number): Date {
  return new Date(Math.min(other, ...down.flatMap(({ downSince }) => downSince?.getTime() ?? [])));
}

function lastSuccessOf(known: readonly KnownNextHop[]): Date | null {
  const times = known.flatMap(({ lastSuccess }) => lastSuccess?.getTime() ?? []);
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

function stateOf(known: KnownNextHop | undefined): Omit<TransportStatus, 'name' | keyof PermitLimits | 'usedToday'> {
  if (!known) return { state: 'unknown', since: null, error: null, lastSuccess: null, acceptedPerMinute: null };
  const { downSince, error, lastSuccess, acceptedPerMinute } = known;
  return {
    state: downSince ? 'down' : 'up',
    since: downSince,
    error: error === null ? null : withoutAddresses(error),
    lastSuccess,
    acceptedPerMinute,
  };
}

/** A server's words may quote the sender. */
function withoutAddresses(text: string): string {
  return text.replace(/[^\s@]*@\S*/g, '…');
}
