import type { QuotaOptions } from '../ports/quota.options.js';
import { QuotaAlarms } from './quota.alarms.js';

async function activeWith(quota: QuotaOptions, ofDay: number, ofMonth: number) {
  const asked: number[][] = [];
  const current = async (...least: [number, number]) => {
    asked.push(least);
    return [{ accountId: 'one', ofDay, ofMonth }];
  };
  const alarms = await new QuotaAlarms({ current }, quota).active();
  return { asked, alarms: alarms.map(({ account, subject }) => `${account} ${subject}`) };
}

describe('QuotaAlarms', () => {
  it.each<[string, QuotaOptions, number, number, string[]]>([
    ['none below 90 %', { perDay: 100, perMonth: 1_000 }, 89, 899, []],
    ['the day', { perDay: 100, perMonth: 1_000 }, 90, 899, ['one day']],
    ['the month', { perDay: 100, perMonth: 1_000 }, 0, 900, ['one month']],
    ['both beyond the quota', { perDay: 100, perMonth: 1_000 }, 120, 1_200, ['one day', 'one month']],
    ['only what has a quota', { perMonth: 1_000 }, 5_000, 900, ['one month']],
    ['none of an account that has sent nothing', { perDay: 0 }, 0, 0, []],
    ['a quota of the account', { perDay: () => 10 }, 9, 9, ['one day']],
    ['no quota of the account', { perDay: () => undefined }, 9, 9, []],
  ])('are on for %s', async (_, quota, ofDay, ofMonth, expected) => {
    expect((await activeWith(quota, ofDay, ofMonth)).alarms).toEqual(expected);
  });

  it('ask for the accounts that may be near', async () => {
    expect((await activeWith({ perDay: 100 }, 0, 0)).asked).toEqual([[90, Number.POSITIVE_INFINITY]]);
    expect((await activeWith({ perDay: () => 10, perMonth: 1_000 }, 0, 0)).asked).toEqual([[0, 900]]);
  });

  it('has text that names the limit', async () => {
    const current = async () => [{ accountId: 'one', ofDay: 95, ofMonth: 95 }];
    expect(await new QuotaAlarms({ current }, { perDay: 100 }).active()).toEqual([
      {
        code: 'quota_near',
        account: 'one',
        subject: 'day',
        text: 'Account one has used 90 % of its quota of 100 recipients of this day, or more.',
      },
    ]);
  });
});
