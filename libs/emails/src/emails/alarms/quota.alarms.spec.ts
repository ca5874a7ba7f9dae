import type { QuotaOptions } from '../ports/quota.options.js';
import { QuotaAlarms } from './quota.alarms.js';

type Count = { accountId: string; ofDay: number; ofMonth: number; changedAt: number };

/** Alarms of these counts, and the questions that were asked. */
function alarmsOf(quota: QuotaOptions, counts: Count[]) {
  const asked: [readonly string[], number][] = [];
  const changed = async (...question: [readonly string[], number]) => {
    asked.push(question);
    return counts;
  };
  return { asked, alarms: new QuotaAlarms({ changed }, quota) };
}
const countOf = (ofDay: number, ofMonth: number, accountId = 'one', changedAt = 0): Count => ({
  accountId,
  ofDay,
  ofMonth,
  changedAt,
});

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
    const active = await alarmsOf(quota, [countOf(ofDay, ofMonth)]).alarms.active([]);
    expect(active.map(({ account, subject }) => `${account} ${subject}`)).toEqual(expected);
  });

  it('ask for all counts once, then for those that changed and for accounts that are near', async () => {
    const counts = [countOf(95, 95, 'near', 500_000), countOf(1, 1, 'far', 400_000)];
    const { asked, alarms } = alarmsOf({ perDay: 100 }, counts);
    await alarms.active([]);
    counts.splice(0);
    await alarms.active([{ code: 'quota_near', account: 'open', subject: 'day', since: new Date(0) }]);
    await alarms.active([]);
    const [[first, from] = [], second, third] = asked;
    expect([first, (from ?? 0) <= 0]).toEqual([[], true]);
    expect([second, third]).toEqual([
      [['open', 'near'], 440_000],
      [[], 440_000],
    ]);
  });

  it('have text that names the limit', async () => {
    expect(await alarmsOf({ perDay: 100 }, [countOf(95, 95)]).alarms.active([])).toEqual([
      {
        code: 'quota_near',
        account: 'one',
        subject: 'day',
        text: 'Account one has used 90 % of its quota of 100 recipients of this day, or more.',
      },
    ]);
  });
});
