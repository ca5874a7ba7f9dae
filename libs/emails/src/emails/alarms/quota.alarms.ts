import type { NewAlarm } from '../../shared/alarms/alarms.js';
import type { AlarmSource, OpenAlarm } from '../ports/alarm-source.js';
import { limitOf, type QuotaLimit, type QuotaOptions } from '../ports/quota.options.js';
import type { QuotaRepository } from '../storage/accept/quota.repository.js';

/** Share of a quota from which on it is near. */
const NEAR = 0.9;

/** A count is visible at most this much later than its time says. Milliseconds. */
const OVERLAP = 60_000;

/**
 * Accounts that have used 90 % of a quota, until the day or the month is over. After its first look a process reads only
 * the counts that changed, and those of accounts that were near.
 */
export class QuotaAlarms implements AlarmSource {
  readonly codes = ['quota_near'] as const;
  /** Accounts found at the last look: their alarms may not be stored yet. */
  private found: readonly string[] = [];
  /** Time of the newest count that was read, by the clock of PostgreSQL. */
  private readUntil = 0;

  constructor(
    private readonly repository: Pick<QuotaRepository, 'changed'>,
    private readonly quota: QuotaOptions,
  ) {}

  async active(open: readonly OpenAlarm[]): Promise<NewAlarm[]> {
    const known = new Set([...open.flatMap(({ account }) => account ?? []), ...this.found]);
    const counts = await this.repository.changed([...known], this.readUntil - OVERLAP);
    const alarms = counts.flatMap(({ accountId, ofDay, ofMonth }) => [
      ...this.near(accountId, 'day', ofDay, this.quota.perDay),
      ...this.near(accountId, 'month', ofMonth, this.quota.perMonth),
    ]);
    this.found = alarms.map(({ account }) => account);
    for (const { changedAt } of counts) this.readUntil = Math.max(this.readUntil, changedAt);
    return alarms;
  }

  private near(account: string, subject: 'day' | 'month', count: number, quota: QuotaLimit | undefined) {
    const limit = limitOf(quota, account);
    if (count === 0 || count < NEAR * limit) return [];
    const text = `Account ${account} has used 90 % of its quota of ${limit} recipients of this ${subject}, or more.`;
    return [{ code: 'quota_near' as const, account, subject, text }];
  }
}
