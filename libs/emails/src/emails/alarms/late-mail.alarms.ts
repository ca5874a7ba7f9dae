import type { NewAlarm } from '../../shared/alarms/alarms.js';
import type { AlarmSource, OpenAlarm } from '../ports/alarm-source.js';
import type { KnownNextHop } from '../ports/next-hop-status.js';
import type { DeliveryRepository } from '../storage/deliver/delivery.repository.js';
import { HopBits } from '../storage/deliver/hop-bits.js';

/** Wait for the next hop from which on it is down: a relay may restart. Milliseconds. */
const DOWN = 10_000;
/** Wait from which on mail is late, and below which it no longer is. Milliseconds. */
const LATE = 600_000;
const NO_LONGER_LATE = 300_000;

/**
 * Next hops that are down, and mail that is late. A hop is down by the mail that waits for it, which every process finds, or
 * by what this process knows of it: other transports may get its mail.
 */
export class LateMailAlarms implements AlarmSource {
  readonly codes = ['next_hop_down', 'mail_late'] as const;

  constructor(
    private readonly repository: Pick<DeliveryRepository, 'lateness'>,
    private readonly hops: readonly string[],
    private readonly known: () => readonly Pick<KnownNextHop, 'name' | 'downSince'>[],
    private readonly now: () => number = Date.now,
  ) {}

  async active(open: readonly OpenAlarm[]): Promise<NewAlarm[]> {
    const bits = new HopBits(this.hops);
    const latenesses = await Promise.all(this.hops.map((hop) => this.repository.lateness(bits.of(hop))));
    const known = this.known();
    const alarms: NewAlarm[] = [];
    for (const [at, subject] of this.hops.entries()) {
      const waiting = latenesses[at]?.oldestWaiting ?? null;
      const downSince = known.find(({ name }) => name === subject)?.downSince ?? null;
      const age = Math.max(waiting ?? -1, downSince ? this.now() - downSince.getTime() : -1);
      const isOn = open.some((one) => one.code === 'next_hop_down' && one.subject === subject);
      if (age < (isOn ? 0 : DOWN)) continue;
      const text = `No connection to ${subject} can be opened${waiting === null ? '' : ', and emails wait for it'}.`;
      alarms.push({ code: 'next_hop_down', subject, since: this.ago(age), text });
    }
    const oldestDue = Math.max(0, ...latenesses.map((one) => one.oldestDue));
    const isLate = open.some(({ code }) => code === 'mail_late');
    if (oldestDue >= (isLate ? NO_LONGER_LATE : LATE)) {
      const text = 'The oldest due email has waited for more than 10 minutes.';
      alarms.push({ code: 'mail_late', subject: 'backlog', since: this.ago(oldestDue), text });
    }
    return alarms;
  }

  private ago(milliseconds: number): Date {
    return new Date(this.now() - milliseconds);
  }
}
