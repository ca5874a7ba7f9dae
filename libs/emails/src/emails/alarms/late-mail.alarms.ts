import type { NewAlarm } from '../../shared/alarms/alarms.js';
import type { AlarmSource, OpenAlarm } from '../ports/alarm-source.js';
import type { DeliveryRepository } from '../storage/deliver/delivery.repository.js';

/** Wait for the next hop from which on it is down: a relay may restart. Milliseconds. */
const DOWN = 10_000;
/** Wait from which on mail is late, and below which it no longer is. Milliseconds. */
const LATE = 600_000;
const NO_LONGER_LATE = 300_000;

/** Mail that waits for the next hop, and mail that is late. Every process finds the same. */
export class LateMailAlarms implements AlarmSource {
  readonly codes = ['next_hop_down', 'mail_late'] as const;

  constructor(
    private readonly repository: Pick<DeliveryRepository, 'lateness'>,
    private readonly hop: string,
    private readonly now: () => number = Date.now,
  ) {}

  async active(open: readonly OpenAlarm[]): Promise<NewAlarm[]> {
    const { oldestDue, oldestWaiting } = await this.repository.lateness(this.hop);
    const isOn = (code: string) => open.some((one) => one.code === code);
    const alarms: NewAlarm[] = [];
    if (oldestWaiting !== null && (isOn('next_hop_down') || oldestWaiting >= DOWN)) {
      const text = `Emails wait for ${this.hop}, because no connection to it can be opened.`;
      alarms.push({ code: 'next_hop_down', subject: this.hop, since: this.ago(oldestWaiting), text });
    }
    if (oldestDue >= (isOn('mail_late') ? NO_LONGER_LATE : LATE)) {
      const text = 'The oldest due email has waited for more than 10 minutes.';
      alarms.push({ code: 'mail_late', subject: 'backlog', since: this.ago(oldestDue), text });
    }
    return alarms;
  }

  private ago(milliseconds: number): Date {
    return new Date(this.now() - milliseconds);
  }
}
