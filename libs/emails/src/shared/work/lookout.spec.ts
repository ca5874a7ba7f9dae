import { jest } from '@jest/globals';
import { Lookout, type Question, type Watcher } from './lookout.js';

interface Asked {
  sql: string;
  values: unknown[];
}

type Query = (sql: string, values: unknown[]) => Promise<Record<string, readonly unknown[]>[]>;

/** A database that returns the values of each query, and fails or hangs on command. */
function databaseOf(hang: Promise<never> = new Promise(() => {})) {
  const asked: Asked[] = [];
  const query: Query = async (sql, values) => {
    asked.push({ sql, values });
    if (sql.includes('hangs')) await hang;
    if (sql.includes('fails')) throw Object.assign(new Error('no'), { code: '42P01' });
    if (sql.includes('away')) throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    const columns = sql.split('AS rows)').slice(0, -1);
    return [
      Object.fromEntries(
        columns.map((column, index) => [
          index,
          [[...column.matchAll(/\$(\d+)/g)].map(([, n]) => values[Number(n) - 1])],
        ]),
      ),
    ];
  };
  return { asked, lookout: new Lookout({ query }) };
}

function watcherOf(question: Question | undefined) {
  const answered: unknown[] = [];
  const watcher: Watcher = {
    question: () => question,
    answered: (rows) => answered.push(rows),
    failed: (error) => answered.push((error as { code?: string }).code),
  };
  return { told: answered, watcher };
}

describe('Lookout', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const rounds = (count: number) => jest.advanceTimersByTimeAsync(1 + (count - 1) * 1_150);

  it('runs all queries in one statement, and returns the rows of each', async () => {
    const { asked, lookout } = databaseOf();
    const [one, other, none] = [
      watcherOf({ sql: 'SELECT $1, $2', values: ['a', 'b'] }),
      watcherOf({ sql: 'SELECT $2, $1', values: ['c', 'd'] }),
      watcherOf(undefined),
    ];
    for (const { watcher } of [one, other, none]) lookout.watch(watcher);
    await rounds(1);
    expect(asked.map(({ values }) => values)).toEqual([['a', 'b', 'c', 'd']]);
    expect([one.told, other.told, none.told]).toEqual([[[['a', 'b']]], [[['d', 'c']]], []]);
    await rounds(4);
    expect(asked).toHaveLength(4);
  });

  it('answers the others when one query fails', async () => {
    const { lookout } = databaseOf();
    const [one, other] = [watcherOf({ sql: 'fails', values: [] }), watcherOf({ sql: '$1', values: ['a'] })];
    for (const { watcher } of [one, other]) lookout.watch(watcher);
    await rounds(1);
    expect([one.told, other.told]).toEqual([['42P01'], [[['a']]]]);
  });

  it('answers the others when one query waits for a lock, and does not run that one twice', async () => {
    const { asked, lookout } = databaseOf();
    const [one, other] = [watcherOf({ sql: 'hangs', values: [] }), watcherOf({ sql: '$1', values: ['a'] })];
    for (const { watcher } of [one, other]) lookout.watch(watcher);
    await rounds(6);
    expect(other.told.length).toBeGreaterThan(2);
    expect(one.told).toEqual([]);
    expect(asked.filter(({ sql }) => sql.includes('hangs'))).toHaveLength(2);
  });

  it('queries once while the database is away, and fails all', async () => {
    const { asked, lookout } = databaseOf();
    const both = [watcherOf({ sql: 'away', values: [] }), watcherOf({ sql: '$1', values: ['a'] })];
    for (const { watcher } of both) lookout.watch(watcher);
    await rounds(1);
    expect(both.map(({ told }) => told)).toEqual([['ECONNREFUSED'], ['ECONNREFUSED']]);
    expect(asked).toHaveLength(1);
  });

  it('does not query without watchers, and queries at once when one waits and the others have ended', async () => {
    const { asked, lookout } = databaseOf();
    const end = lookout.watch(watcherOf({ sql: '$1', values: ['a'] }).watcher);
    await rounds(1);
    const answer = lookout.ask({ sql: '$1', values: ['b'] });
    await jest.advanceTimersByTimeAsync(100);
    expect(asked).toHaveLength(1);
    end();
    await jest.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual([['b']]);
    await rounds(10);
    expect(asked).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });
});
