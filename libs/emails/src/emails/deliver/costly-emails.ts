/** Limit of the emails of one account whose messages are built at the same time. Bytes, see `costOf`. */
const EACH = 1_000_000;
/** Shortest and longest time for which an email is put off. Milliseconds. */
const SOON = 250;
const LATE = 60_000;
/**
 * Emails of an account that come back in the time in which one of it is built. One that comes back too early costs a
 * lease; without one the builder would be idle.
 */
const EARLY = 2;
/** Longest interval between two emails of an account that come back: the next ones may be quick. Milliseconds. */
const PACE = 1_000;
/**
 * Time for which an email that was put off for its cost is awaited, and after which all others of its account leave it
 * room. Milliseconds.
 */
const AWAITED = 2_000;
/** Time for one email before any is measured. Milliseconds. */
const GUESS = 20;
/** Weight of the last email in the measured time. */
const LAST = 0.1;

interface Share {
  emails: number;
  cost: number;
}

/** An email that was put off for its cost. */
interface Awaited {
  id: string;
  cost: number;
  /** When it was first put off, and until when it is awaited. Milliseconds. */
  since: number;
  until: number;
}

/**
 * Limits the emails in progress whose messages take long to build, in total and for each account: the others must find
 * room. An email beyond the limits is put off, and each further one of its account a little longer, because they are
 * built one after the other. Otherwise many of them would come back at the same time.
 *
 * One that is put off for its cost comes back soon, and its account's cheaper ones leave it room until then: a stream of
 * them would keep it out for ever.
 */
export class CostlyEmails {
  private readonly shares = new Map<string, Share>();
  /** The time when the last email of an account that was put off comes back. */
  private readonly appointments = new Map<string, number>();
  /** By account. */
  private readonly awaited = new Map<string, Awaited>();
  private emails = 0;
  /** Average time between the ends of two emails that follow each other. Milliseconds. */
  private took = GUESS;
  private leftAt = 0;

  /**
   * @param most limit of emails. An account gets a quarter of them, and more than one email only while half are free
   */
  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Returns the function that an admitted email calls once, when its message is built; for another one the time for
   * which it is put off, in milliseconds.
   *
   * @param cost bytes, see `costOf`
   */
  enter(accountId: string, id: string, cost: number): (() => void) | number {
    const share = this.shares.get(accountId) ?? { emails: 0, cost: 0 };
    const enteredAt = this.now();
    const awaited = this.awaitedOf(accountId, enteredAt);
    if (!this.hasRoom(share) || leavesRoom(id, cost, awaited, enteredAt)) return this.putOff(accountId, enteredAt);
    if (share.emails > 0 && share.cost + cost > EACH) {
      if (awaited && awaited.id !== id) return this.putOff(accountId, enteredAt);
      this.awaited.set(accountId, { since: enteredAt, ...awaited, id, cost, until: enteredAt + AWAITED });
      return SOON;
    }
    if (awaited?.id === id) this.awaited.delete(accountId);
    this.count(accountId, share, 1, cost);
    return () => {
      const now = this.now();
      this.took += LAST * (now - Math.max(enteredAt, this.leftAt) - this.took);
      this.leftAt = now;
      this.count(accountId, share, -1, -cost);
      if (this.emails === 0) this.forgetPast(now);
    };
  }

  private hasRoom({ emails }: Share): boolean {
    return emails === 0 ? this.emails < this.most : this.emails < this.most / 2 && emails < this.most / 4;
  }

  private awaitedOf(accountId: string, now: number): Awaited | undefined {
    const awaited = this.awaited.get(accountId);
    return awaited && awaited.until > now ? awaited : undefined;
  }

  private count(accountId: string, share: Share, emails: number, cost: number): void {
    this.emails += emails;
    share.emails += emails;
    share.cost += cost;
    if (share.emails > 0) this.shares.set(accountId, share);
    else this.shares.delete(accountId);
  }

  private putOff(accountId: string, now: number): number {
    // Accounts take turns: with ten of them, an account waits ten times as long for its next one.
    const interval = Math.min(PACE, (this.took * this.shares.size) / EARLY);
    const time = Math.max(now + SOON, this.appointments.get(accountId) ?? 0) + interval;
    this.appointments.set(accountId, Math.min(time, now + LATE));
    return Math.ceil(Math.min(time - now, LATE));
  }

  private forgetPast(now: number): void {
    for (const [accountId, time] of this.appointments) if (time <= now) this.appointments.delete(accountId);
    for (const [accountId, { until }] of this.awaited) if (until <= now) this.awaited.delete(accountId);
  }
}

/** True if an email must leave room for the awaited one: if it costs less, or that one has waited for long. */
function leavesRoom(id: string, cost: number, awaited: Awaited | undefined, now: number): boolean {
  return awaited !== undefined && awaited.id !== id && (cost < awaited.cost || now - awaited.since > AWAITED);
}
