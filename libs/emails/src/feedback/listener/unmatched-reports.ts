import { DataSource } from 'typeorm';
import type { AlarmSource, NewAlarm } from '../../index.js';
import type { AlarmCode } from '../../shared/alarms/alarm-codes.js';
import type { Alarms } from '../../shared/alarms/alarms.js';
import { Lookout } from '../../shared/work/lookout.js';

/** Reports that follow each other within this time are an alarm after the same time. Milliseconds. */
const HOUR = 3_600_000;
/** Reports within this time are noted once. Milliseconds. */
const PACE = 60_000;

const CODE: AlarmCode = 'feedback_unmatched';
const WITHIN = `${HOUR} * interval '1 millisecond'`;

const NOTE = `
INSERT INTO nestjs_emails.unmatched_reports AS u (id, first_at, last_at) VALUES (1, now(), now())
ON CONFLICT (id) DO UPDATE SET last_at = now(),
  first_at = CASE WHEN u.last_at < now() - ${WITHIN} THEN now() ELSE u.first_at END`;

const FIND = `
SELECT first_at AS since FROM nestjs_emails.unmatched_reports
WHERE last_at > now() - ${WITHIN} AND first_at <= now() - ${WITHIN}`;

/** Reports to feedback addresses that led to no email: a provider's reports can no longer be read, or are about others' mail. */
export class UnmatchedReports implements AlarmSource {
  readonly codes = [CODE];
  private notedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly dataSource: DataSource,
    private readonly alarms: Pick<Alarms, 'isOn'> | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Notes that one came in. */
  async note(): Promise<void> {
    if (!this.alarms?.isOn || this.now() - this.notedAt < PACE) return;
    await this.dataSource.query(NOTE);
    this.notedAt = this.now();
  }

  async active(): Promise<NewAlarm[]> {
    const found = await Lookout.of(this.dataSource).ask<{ since: string }>({ sql: FIND, values: [] });
    const text = 'Reports to feedback addresses have led to no email for an hour.';
    return found.map(({ since }) => ({ code: CODE, subject: 'feedback addresses', since: new Date(since), text }));
  }
}
