import { ApiError } from '../../../shared/errors/api-error.js';
import type { QuotaOptions } from '../../ports/quota.options.js';
import type { QuotaCount } from '../../storage/accept/quota.repository.js';
import { Quotas } from './quotas.js';

const NOW = Date.parse('2026-11-29T23:59:50.500Z');
const DAY = { day: '2026-11-29', month: '2026-11-01' };

/** Counts as PostgreSQL has them. */
function quotas(options: QuotaOptions | undefined) {
  const stored = new Map<string, { ofDay: number; ofMonth: number }>();
  const asked: (readonly string[])[] = [];
  const began: string[] = [];
  const time = { now: NOW };
  let changedAt = 0;
  const counting = new Quotas(
    {
      begin: async (accounts) => void began.push(...accounts),
      fold: async (accounts) => {
        asked.push(accounts);
        changedAt++;
        return [...stored].map(([accountId, count]): QuotaCount => ({ accountId, ...DAY, ...count, changedAt }));
      },
    },
    options,
    () => time.now,
  );
  const check = async (account: string, recipients: number) => {
    await counting.check(account, () => recipients);
  };
  return { counting, stored, asked, began, time, check };
}
const refusal = async (checking: Promise<void>) => {
  const error = await checking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ApiError ? [error.statusCode, error.name, error.headers] : error;
};

describe('Quotas', () => {
  it('asks nothing without the option, or without a limit for the account', async () => {
    const none = quotas(undefined);
    expect(none.counting.check('one', () => 1)).toBeUndefined();
    const unlimited = quotas({ perDay: () => undefined });
    expect(unlimited.counting.check('one', () => 1)).toBeUndefined();
    expect([none.asked, unlimited.asked]).toEqual([[], []]);
  });

  it('counts an account at its first request, and asks nothing at later ones', async () => {
    const { counting, stored, began, check } = quotas({ perDay: 10 });
    stored.set('one', { ofDay: 8, ofMonth: 8 });
    await Promise.all([check('one', 1), check('one', 2), check('two', 10)]);
    expect(began.sort()).toEqual(['one', 'two']);
    expect(counting.check('one', () => 2)).toBeUndefined();
    expect(await refusal(check('one', 3))).toEqual([429, 'daily_quota_exceeded', { 'retry-after': '10' }]);
    await counting.beforeApplicationShutdown();
  });

  it('refuses what would go beyond a quota as a whole, until the next day or month', async () => {
    const { counting, stored, time, check } = quotas({ perDay: 100, perMonth: 1_000 });
    stored.set('one', { ofDay: 100, ofMonth: 999 });
    expect(await refusal(check('one', 1))).toEqual([429, 'daily_quota_exceeded', { 'retry-after': '10' }]);
    expect(await refusal(check('one', 2))).toEqual([429, 'monthly_quota_exceeded', { 'retry-after': '86410' }]);
    time.now = Date.parse('2026-11-30T00:00:00Z');
    expect(await refusal(check('one', 1))).toBeUndefined();
    expect(await refusal(check('one', 2))).toEqual([429, 'monthly_quota_exceeded', { 'retry-after': '86400' }]);
    time.now = Date.parse('2026-12-01T00:00:00Z');
    expect(await refusal(check('one', 100))).toBeUndefined();
    await counting.beforeApplicationShutdown();
  });

  it('counts accounts with recent requests, and takes over what other processes counted', async () => {
    const { counting, stored, asked, time, check } = quotas({ perDay: (account) => (account === 'one' ? 10 : 20) });
    stored.set('one', { ofDay: 0, ofMonth: 0 });
    await check('one', 10);
    stored.set('one', { ofDay: 10, ofMonth: 10 });
    await counting.step();
    expect(asked.at(-1)).toEqual(['one']);
    expect(await refusal(check('one', 1))).toEqual([429, 'daily_quota_exceeded', expect.anything()]);
    expect(await refusal(check('two', 11))).toBeUndefined();
    time.now += 20_001;
    await counting.step();
    await counting.step();
    expect(asked.at(-1)).toEqual([]);
    await counting.beforeApplicationShutdown();
  });

  it('fails for a function that returns no number', async () => {
    for (const value of ['5', Number.NaN, -1, null]) {
      const { check } = quotas({ perDay: () => value as never });
      expect(await refusal(check('one', 1))).toBeInstanceOf(TypeError);
    }
  });
});
