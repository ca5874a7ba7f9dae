import type { NewAlarm } from '../../shared/alarms/alarms.js';
import type { AlarmSource } from '../ports/alarm-source.js';
import { limitOf, type QuotaOptions } from '../ports/quota.options.js';
import type { QuotaRepository } from '../storage/accept/quota.repository.js';

/** Share of a quota from which on it is near. */
const NEAR = 0.9;

/** Accounts that have used 90 % of a quota, until the day or the month is over. */
export class QuotaAlarms implements AlarmSource {
  readonly codes = ['quota_near'] as const;

  constructor(
    private readonly repository: Pick<QuotaRepository, 'current'>,
    private readonly quota: QuotaOptions,
  ) {}

  async active(): Promise<NewAlarm[]> {
    // A function of the account can be asked only about each.
    const least = (limit: QuotaOptions['perDay']) => (typeof limit === 'function' ? 0 : (limit ?? Infinity) * NEAR);
    const counts = await this.repository.current(least(this.quota.perDay), least(this.quota.perMonth));
    return counts.flatMap(({ accountId, ofDay, ofMonth }) => [
      ...this.near(accountId, 'day', ofDay, this.quota.perDay),
      ...this.near(accountId, 'month', ofMonth, this.quota.perMonth),
    ]);
  }

  private near(account: string, subject: 'day' | 'month', count: number, quota: QuotaOptions['perDay']): NewAlarm[] {
    const limit = limitOf(quota, account);
    if (count === 0 || count < NEAR * limit) return [];
    const text = `Account ${account} has used 90 % of its quota of ${limit} recipients of this ${subject}, or more.`;
    return [{ code: 'quota_near', account, subject, text }];
  }
}
