import { FIRST_STATE } from '../../states/email-states.js';
import type { Order } from './email.sql.js';
import * as sql from './filters.sql.js';
import type { EmailFilters, PageCursor } from './page-bounds.js';

/** Runs statements in one transaction, and resolves with rows. */
export interface Queries {
  query(sql: string, values?: unknown[]): Promise<unknown>;
}

/** The statement about the found emails. */
export interface FoundStatement {
  /** @param emails a query for the rows of `emails`, with $1 to $3 */
  sql: (emails: string, order: Order) => string;
  /** $4 and following. */
  values: readonly unknown[];
  /** Whether its rows tell how many emails there are, as `available`: then it may run twice. */
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

/**
 * Runs a statement about up to `limit` emails that match the filters, nearest to the cursor first. Settings for its
 * statements end with the transaction, also behind a pooler.
 *
 * @param manager of a transaction without later work
 */
export async function findFiltered<Row extends object>(
  manager: Queries,
  accountId: string,
  { terms, states, messageId, start, end }: EmailFilters,
  cursor: PageCursor | undefined,
  limit: number,
  statement: FoundStatement,
): Promise<Row[]> {
  const direction = cursor?.direction ?? 'older';
  const from = [accountId, cursor?.seq ?? null];
  await manager.query(sql.FOLLOW_INDEXES);
  const [places] = (await manager.query(sql.PLACES, [accountId, terms, start, end])) as Places[];
  const { hashes, ...times } = places ?? { hashes: [], start: null, end: null };
  const span = { direction, ...times };
  const read = (path: sql.FilterPath): Promise<Row[]> => {
    const values = [...from, limit, ...statement.values, ...(messageId === undefined ? [] : [messageId])];
    return manager.query(statement.sql(sql.filteredEmails(path, span), sql.orderOf(span)), values) as Promise<Row[]>;
  };

  if (messageId !== undefined) {
    const message = { id: messageId, parameter: `$${4 + statement.values.length}` };
    return read(sql.pathOfEmails(hashes, states, span, { message }));
  }
  const paths = sql.pathsOf(hashes, states, span);
  const [first] = paths;
  if (!first) return read(sql.pathOfEmails(hashes, states, span));
  const isQueued = states?.includes(FIRST_STATE.now) ?? false;
  if (paths.length === 1 && !isQueued) return read(first);

  const [{ costs } = { costs: [] }] = (await manager.query(sql.costsOf(paths), from)) as { costs: number[] }[];
  const least = Math.min(...costs);
  const path = paths[costs.indexOf(least)] ?? first;
  if (statement.isPage && isQueued && least >= sql.MANY) {
    const near = await read(sql.pathOfEmails(hashes, states, span, { near: true }));
    if ((near[0] as { available?: number } | undefined)?.available === limit) return near;
  }
  return read(path);
}
