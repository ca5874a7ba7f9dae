import type { DataSource } from 'typeorm';
import { FIRST_STATE } from '../../states/email-states.js';
import { type Transaction, transactOnce } from '../deliver/transact-once.js';
import type { Order } from './email.sql.js';
import * as sql from './filters.sql.js';
import type { EmailFilters, PageCursor } from './page-bounds.js';

/** The statement about the found emails. */
export interface FoundStatement {
  /** @param emails a query for the rows of `emails`, with $1 to $3 */
  sql: (emails: string, order: Order) => string;
  /** $4 and following. */
  values: readonly unknown[];
  /** Its rows tell how many emails there are, as `available`: then it may run twice. */
  isPage: boolean;
}

interface Places {
  hashes: string[];
  start: string | null;
  end: string | null;
}

/** Above every number of emails. */
export const ALL = Number.MAX_SAFE_INTEGER;

/** The number of the found emails. */
export const countOf = (emails: string) => `SELECT count(*)::integer AS count FROM (${emails}) AS e`;

/** All emails. */
export const NO_FILTERS: EmailFilters = {
  terms: [],
  states: undefined,
  messageId: undefined,
  start: undefined,
  end: undefined,
};

/** A question about up to `limit` emails that match the filters, nearest to the cursor first. */
export interface FilteredQuestion {
  accountId: string;
  filters: EmailFilters;
  cursor: PageCursor | undefined;
  limit: number;
  statement: FoundStatement;
}

/** Asks in a transaction of its own. */
export function askFiltered<Row extends object>(dataSource: DataSource, question: FilteredQuestion): Promise<Row[]> {
  return transactOnce(dataSource, `BEGIN; ${sql.FOLLOW_INDEXES}`, (transaction) => find<Row>(transaction, question));
}

/**
 * Asks within a transaction without later work: settings for its statements end with it, also behind a pooler.
 */
export async function askFilteredWithin<Row extends object>(
  transaction: Transaction,
  question: FilteredQuestion,
): Promise<Row[]> {
  await transaction.query(sql.FOLLOW_INDEXES);
  return find(transaction, question);
}

async function find<Row extends object>(
  transaction: Transaction,
  { accountId, filters, cursor, limit, statement }: FilteredQuestion,
): Promise<Row[]> {
  const { terms, states, messageId, start, end } = filters;
  const direction = cursor?.direction ?? 'older';
  const from = [accountId, cursor?.seq ?? null];
  const [places] = await rowsOf<Places>(transaction, sql.PLACES, [accountId, terms, start, end]);
  const { hashes, ...times } = places ?? { hashes: [], start: null, end: null };
  const span = { direction, ...times };
  const read = (path: sql.FilterPath): Promise<Row[]> => {
    const values = [...from, limit, ...statement.values, ...(messageId === undefined ? [] : [messageId])];
    return rowsOf(transaction, statement.sql(sql.filteredEmails(path, span), sql.orderOf(span)), values);
  };
  const readFull = async (path: sql.FilterPath): Promise<Row[] | undefined> => {
    if (!statement.isPage) return undefined;
    const rows = await read(path);
    return (rows[0] as { available?: number } | undefined)?.available === limit ? rows : undefined;
  };

  if (messageId !== undefined) {
    const message = { id: messageId, parameter: `$${4 + statement.values.length}` };
    return read(sql.pathOfEmails(hashes, states, span, { message }));
  }
  const paths = sql.pathsOf(hashes, states, span);
  const [only = sql.pathOfEmails(hashes, states, span), ...others] = paths;
  if (others.length === 0 && only.isOrdered) return read(only);

  const { few, frequent } = await byFrequency(transaction, paths, from, span);
  if (few) return read(few);
  const [sparse] = frequent;
  const next = sparse && (await readFull(sql.nextOf(sparse, span)));
  if (next) return next;
  const unordered = paths.filter(({ isOrdered }) => !isOrdered);
  const { path = only, cost } = await cheapest(transaction, [...frequent, ...unordered], from);
  const isOfMany = states?.includes(FIRST_STATE.now) && cost >= sql.MANY;
  const near = isOfMany && (await readFull(sql.pathOfEmails(hashes, states, span, { near: true })));
  return near || read(path);
}

interface Frequency {
  count: number | null;
  reach: number;
}

/**
 * The filter with the fewest emails, if one has few. Else those that an index has in order, the one whose emails are the
 * farthest apart next to the cursor first.
 */
async function byFrequency(
  transaction: Transaction,
  paths: readonly sql.FilterPath[],
  from: readonly unknown[],
  span: sql.Span,
): Promise<{ few: sql.FilterPath | undefined; frequent: sql.FilterPath[] }> {
  const ordered = paths.filter(({ isOrdered }) => isOrdered);
  if (ordered.length === 0) return { few: undefined, frequent: [] };
  const rows = await rowsOf<{ frequencies: Frequency[] }>(transaction, sql.frequenciesOf(ordered, span), from);
  const [{ frequencies } = { frequencies: [] }] = rows;
  const measured = ordered.map((path, place) => ({ path, ...(frequencies[place] ?? { count: null, reach: 0 }) }));
  const [few] = measured.filter(({ count }) => count !== null).sort((a, b) => Number(a.count) - Number(b.count));
  return { few: few?.path, frequent: measured.sort((a, b) => b.reach - a.reach).map(({ path }) => path) };
}

/** The filter with the fewest emails, the first of equal ones. */
async function cheapest(
  transaction: Transaction,
  paths: readonly sql.FilterPath[],
  from: readonly unknown[],
): Promise<{ path: sql.FilterPath | undefined; cost: number }> {
  const [{ costs } = { costs: [] }] = await rowsOf<{ costs: number[] }>(transaction, sql.costsOf(paths), from);
  const cost = Math.min(...costs);
  return { path: paths[costs.indexOf(cost)], cost };
}

async function rowsOf<Row>(transaction: Transaction, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await transaction.query<Row>(text, values)).rows;
}
