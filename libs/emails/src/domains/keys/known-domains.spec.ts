import { jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { KnownDomains } from './known-domains.js';

/** A database with these domains, which counts its queries. */
function databaseOf(domains: { accountId: string; name: string }[], areAll = false) {
  const asked: unknown[][] = [];
  let failure: Error | undefined;
  const held: (() => void)[] = [];
  const state = { isHeld: false };
  const manager = {
    query: async (_: string, values: unknown[]) => {
      asked.push(values);
      if (failure) throw failure;
      const rows = domains.map((domain) => ({ areAll, id: `id of ${domain.name}`, ...domain }));
      if (state.isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return rows.length > 0 ? rows : [{ areAll, id: null }];
    },
  };
  const dataSource = { createQueryRunner: () => ({ manager, release: async () => {} }) };
  return {
    known: new KnownDomains(dataSource as unknown as DataSource),
    asked,
    state,
    held,
    fail: (error?: Error) => {
      failure = error;
    },
  };
}

describe('KnownDomains', () => {
  beforeEach(() => jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('asks once a second for a domain, and in one query for many', async () => {
    const { known, asked } = databaseOf([{ accountId: 'acme', name: 'a.test' }]);
    const answers = await Promise.all([
      known.find('acme', 'a.test'),
      known.find('acme', 'a.test'),
      known.find('acme', 'b.test'),
      known.find('other', 'a.test'),
    ]);
    expect(answers.map((answer) => answer?.name)).toEqual(['a.test', 'a.test', undefined, undefined]);
    expect(asked).toEqual([
      [
        ['acme', 'acme', 'other'],
        ['a.test', 'b.test', 'a.test'],
      ],
    ]);
    jest.advanceTimersByTime(999);
    await known.find('acme', 'a.test');
    expect(asked).toHaveLength(1);
    jest.advanceTimersByTime(1);
    await known.find('acme', 'a.test');
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['few domains', [{ accountId: 'acme', name: 'a.test' }]],
    ['no domain', []],
  ])('asks once a second for all accounts while there are %s', async (_, domains) => {
    const { known, asked, state, held } = databaseOf(domains, true);
    const isKnown = domains.length > 0;
    const answers = async () =>
      (await Promise.all(['acme', 'other', 'third'].map((account) => known.find(account, 'a.test')))).map(Boolean);
    expect(await answers()).toEqual([isKnown, false, false]);
    expect(await known.find('fourth', 'b.test')).toBeUndefined();
    expect(asked).toHaveLength(1);
    jest.advanceTimersByTime(1_000);
    expect(await answers()).toEqual([isKnown, false, false]);
    expect(asked).toHaveLength(2);

    // An answer that is older than a change of this process is no answer for others.
    jest.advanceTimersByTime(1_000);
    state.isHeld = true;
    const late = known.find('acme', 'a.test');
    while (held.length === 0) await new Promise(setImmediate);
    known.forget('acme', 'a.test');
    state.isHeld = false;
    held[0]?.();
    await late;
    await known.find('other', 'b.test');
    expect(asked).toHaveLength(4);
  });

  it('reads again what this process changed, and what it could not read', async () => {
    const { known, asked, fail } = databaseOf([]);
    await known.find('acme', 'a.test');
    known.forget('acme', 'a.test');
    await known.find('acme', 'a.test');
    expect(asked).toHaveLength(2);
    known.forget('acme', 'a.test');
    fail(new Error('no database'));
    await expect(known.find('acme', 'a.test')).rejects.toThrow('no database');
    fail();
    expect(await known.find('acme', 'a.test')).toBeUndefined();
  });
});
