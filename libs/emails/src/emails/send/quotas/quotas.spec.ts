import { ApiError } from '../../../shared/errors/api-error.js';
import type { QuotaOptions } from '../../ports/quota.options.js';
import type { QuotaCount } from '../../storage/accept/quota.repository.js';
import type { JoinedTransaction } from '../../storage/accept/transactions.js';
import { Quotas } from './quotas.js';

const NOW = Date.parse('2026-11-29T23:59:50.500Z');
const DAY = { day: '2026-11-29', month: '2026-11-01' };

/** Counts as PostgreSQL has them. */
function quotas(options: QuotaOptions | undefined) {
  const stored = new Map<string, { ofDay: number; ofMonth: number }>();
  const [read, folded]: [(readonly string[])[], (readonly string[])[]] = [[], []];
  const within: (JoinedTransaction | undefined)[] = [];
  const time = { now: NOW };
  const countsOf = (accounts: readonly string[]): QuotaCount[] =>
    [...stored].filter(([id]) => accounts.includes(id)).map(([accountId, count]) => ({ accountId, ...DAY, ...count }));
  const counting = new Quotas(
    {
      read: async (accounts, transaction) => {
        read.push(accounts);
        within.push(transaction);
        return countsOf(accounts);
      },
      fold: async (accounts) => {
        folded.push(accounts);
        return countsOf(accounts);
      },
    },
    options,
    () => time.now,
  );
  const check = async (account: string, recipients: number, transaction?: JoinedTransaction) => {
    await counting.check(account, () => recipients, transaction);
  };
  return { counting, stored, read, folded, within, time, check };
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
    for (const { read, folded } of [none, unlimited]) expect([read, folded]).toEqual([[], []]);
    await Promise.all([none.counting.step(), unlimited.counting.step()]);
    for (const { folded } of [none, unlimited]) expect(folded).toEqual([]);
  });

  it('reads the count of an account at its first request, and asks nothing at later ones', async () => {
    const { counting, stored, read, check } = quotas({ perDay: 10 });
    stored.set('one', { ofDay: 8, ofMonth: 8 });
    await Promise.all([check('one', 1), check('one', 2), check('two', 10)]);
    expect(read).toEqual([['one', 'two']]);
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

  it('reads within the transaction that an email joins, and keeps the newer count', async () => {
    const { counting, stored, read, within, check } = quotas({ perDay: 10 });
    stored.set('one', { ofDay: 8, ofMonth: 8 });
    const transaction = { query: async () => ({ rows: [] }), runner: undefined };
    const first = check('one', 3, transaction);
    stored.set('one', { ofDay: 10, ofMonth: 10 });
    const second = check('one', 1);
    expect(await Promise.all([refusal(first), refusal(second)])).toEqual([
      [429, 'daily_quota_exceeded', expect.anything()],
      undefined,
    ]);
    expect([read, within]).toEqual([
      [['one'], ['one']],
      [transaction, undefined],
    ]);
    await counting.step();
    expect(await refusal(check('one', 1))).toEqual([429, 'daily_quota_exceeded', expect.anything()]);
    await counting.beforeApplicationShutdown();
  });

  it('counts only accounts with recent requests, and reads the others again', async () => {
    const { counting, stored, read, folded, time, check } = quotas({ perDay: 10 });
    time.now = Date.parse('2026-11-29T10:00:00Z');
    stored.set('one', { ofDay: 0, ofMonth: 0 });
    await check('one', 10);
    stored.set('one', { ofDay: 10, ofMonth: 10 });
    await counting.step();
    expect(folded.at(-1)).toEqual(['one']);
    expect(await refusal(check('one', 1))).toEqual([429, 'daily_quota_exceeded', expect.anything()]);
    time.now += 20_001;
    const before = folded.length;
    await counting.step();
    expect(folded).toHaveLength(before);
    expect(await refusal(check('one', 1))).toEqual([429, 'daily_quota_exceeded', expect.anything()]);
    expect(read).toEqual([['one'], ['one']]);
    await counting.beforeApplicationShutdown();
  });

  it('fails for a function that returns no number', async () => {
    for (const value of ['5', Number.NaN, -1, null]) {
      const { check } = quotas({ perDay: () => value as never });
      expect(await refusal(check('one', 1))).toBeInstanceOf(TypeError);
    }
  });
});
