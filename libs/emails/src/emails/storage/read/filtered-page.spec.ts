import type { Transaction } from '../deliver/transact-once.js';
import { askFilteredWithin, type FoundStatement, NO_FILTERS } from './filtered-page.js';

const LIMIT = 3;
const MANY = 10_000;

interface Tables {
  /** For each filter that an index has in order: the number of its emails if they are few, and how far they reach. */
  frequencies?: { count: number | null; reach: number }[];
  /** For each filter that is counted, in the order in which it is asked. */
  costs?: number[];
  /** Rows of each page that is read, in turn. Default: full pages. */
  pages?: number[];
}

/** Terms have their place as their hash: the first is 1. */
function databaseOf({ frequencies = [], costs = [], pages = [] }: Tables) {
  const asked: string[] = [];
  const answers = (text: string, values: readonly unknown[] = []): object[] => {
    if (text.includes('AS hashes')) {
      return [{ hashes: (values[1] as string[]).map((_, place) => String(place + 1)), start: null, end: null }];
    }
    if (text.includes('AS frequencies')) return [{ frequencies }];
    if (text.includes('AS costs')) return [{ costs }];
    if (!text.startsWith('page')) return [];
    const count = pages.shift() ?? LIMIT;
    return Array.from({ length: count }, () => ({ available: count }));
  };
  const transaction: Transaction = {
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      asked.push(text);
      return { rows: answers(text, values) as Row[] };
    },
  };
  return { transaction, asked };
}

interface Asked {
  words?: number;
  states?: readonly 'sent'[] | readonly 'queued'[];
  isPage?: boolean;
}

/** The reads in their order: the filter that drives, `next` for its first emails only, and the statements before. */
async function readsOf(tables: Tables, { words = 0, states, isPage = true }: Asked) {
  const { transaction, asked } = databaseOf(tables);
  const statement: FoundStatement = { sql: (emails) => `page ${emails}`, values: [], isPage };
  const filters = { ...NO_FILTERS, terms: Array.from({ length: words }, (_, place) => `w:${place}`), states };
  const question = { accountId: 'acme', filters, cursor: undefined, limit: LIMIT, statement };
  const rows = await askFilteredWithin(transaction, question);
  const reads = asked.flatMap((text) => {
    if (text.includes('AS frequencies')) return 'look';
    if (text.includes('AS costs')) return 'count';
    if (!text.startsWith('page')) return [];
    const driver = /FROM \((.*?)\) AS d,/s.exec(text)?.[1] ?? '';
    const name = /term = (\d+)/.exec(driver)?.[1] ?? (driver.includes('deliveries') ? 'state' : 'all');
    return driver.includes('LIMIT') ? `${name} next` : name;
  });
  return { reads, rows: rows.length };
}

const frequent = (reach: number) => ({ count: null, reach });
const few = (count: number) => ({ count, reach: 0 });

describe('askFiltered', () => {
  it('reads by the only filter without another question', async () => {
    expect(await readsOf({}, {})).toEqual({ reads: ['all'], rows: LIMIT });
    expect(await readsOf({}, { words: 1 })).toEqual({ reads: ['1'], rows: LIMIT });
    expect(await readsOf({}, { states: ['sent'] })).toEqual({ reads: ['state'], rows: LIMIT });
  });

  it('reads by the filter with the fewest emails, if one has few', async () => {
    const frequencies = [frequent(-1), few(7), few(3)];
    expect(await readsOf({ frequencies, pages: [1] }, { words: 3 })).toEqual({ reads: ['look', '3'], rows: 1 });
    expect((await readsOf({ frequencies: [few(0), frequent(-9)] }, { words: 1, states: ['sent'] })).reads).toEqual([
      'look',
      '1',
    ]);
  });

  it('follows the next emails of the sparsest of frequent filters, and counts nothing when they fill the page', async () => {
    const frequencies = [frequent(-900), frequent(-100), frequent(-800)];
    expect(await readsOf({ frequencies }, { words: 3 })).toEqual({ reads: ['look', '2 next'], rows: LIMIT });
  });

  it('counts when the next emails do not fill the page', async () => {
    const frequencies = [frequent(-900), frequent(-100)];
    const pages = [LIMIT - 1, 2];
    // Costs are in the order of the sparsest first.
    expect(await readsOf({ frequencies, pages, costs: [MANY, 300] }, { words: 2 })).toEqual({
      reads: ['look', '2 next', 'count', '1'],
      rows: 2,
    });
    expect((await readsOf({ frequencies, pages: [0], costs: [MANY, MANY] }, { words: 2 })).reads).toEqual([
      'look',
      '2 next',
      'count',
      '2',
    ]);
  });

  it('counts at once for a statement that is no page', async () => {
    const frequencies = [frequent(-900), frequent(-100)];
    const asked = { words: 2, isPage: false };
    expect((await readsOf({ frequencies, costs: [4_000, MANY] }, asked)).reads).toEqual(['look', 'count', '2']);
  });

  it('looks for queued emails next to the cursor only when many are due', async () => {
    const states = ['queued'] as const;
    expect((await readsOf({ costs: [5] }, { states })).reads).toEqual(['count', 'state']);
    expect((await readsOf({ costs: [MANY] }, { states })).reads).toEqual(['count', 'all next']);
    expect((await readsOf({ costs: [MANY], pages: [0] }, { states })).reads).toEqual(['count', 'all next', 'state']);
    const both = { frequencies: [frequent(-5)], costs: [MANY, 40], pages: [0] };
    expect((await readsOf(both, { words: 1, states })).reads).toEqual(['look', '1 next', 'count', 'state']);
  });
});
