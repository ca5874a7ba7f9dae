import { jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { KnownDomains } from './known-domains.js';

/** A database with these domains, which counts its queries. */
function databaseOf(rows: { accountId: string; name: string }[]) {
  const asked: unknown[][] = [];
  let failure: Error | undefined;
  const manager = {
    query: async (_: string, values: unknown[]) => {
      asked.push(values);
      if (failure) throw failure;
      return rows;
    },
  };
  const dataSource = { createQueryRunner: () => ({ manager, release: async () => {} }) };
  return {
    known: new KnownDomains(dataSource as unknown as DataSource),
    asked,
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
