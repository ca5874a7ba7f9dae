import type { EntityManager } from 'typeorm';
import { FIRST_STATE } from '../states/email-states.js';
import * as sql from './filters.sql.js';
import type { EmailFilters, PageBounds, PageCursor } from './page-bounds.js';

interface Places {
  hashes: string[];
  start: string | null;
  end: string | null;
}

/**
 * The page of `EmailRepository.filteredPage`. What is set for its statements ends with the transaction, also behind a
 * pooler.
 *
 * @param manager of a transaction that nothing else is done in
 */
export async function findFiltered<Row extends { available: number }>(
  manager: EntityManager,
  accountId: string,
  { terms, states, messageId, start, end }: EmailFilters,
  cursor: PageCursor | undefined,
  { limit, inlineBytes, maxBytes }: PageBounds,
): Promise<Row[]> {
  const direction = cursor?.direction ?? 'older';
  const from = [accountId, cursor?.seq ?? null];
  await manager.query(sql.FOLLOW_INDEXES);
  const [places]: Places[] = await manager.query(sql.PLACES, [accountId, terms, start, end]);
  const { hashes, ...times } = places ?? { hashes: [], start: null, end: null };
  const span = { direction, ...times };
  const read = (way: sql.Way): Promise<Row[]> => {
    const values = [...from, limit, inlineBytes, maxBytes];
    return manager.query(sql.filteredPage(way, span), messageId === undefined ? values : [...values, messageId]);
  };

  if (messageId !== undefined) return read(sql.wayOfEmails(hashes, states, span, { messageId }));
  const ways = sql.waysOf(hashes, states, span);
  const [first] = ways;
  if (!first) return read(sql.wayOfEmails(hashes, states, span));
  const isQueued = states?.includes(FIRST_STATE.now) ?? false;
  if (ways.length === 1 && !isQueued) return read(first);

  const [{ costs } = { costs: [] }]: { costs: number[] }[] = await manager.query(sql.costsOf(ways), from);
  const least = Math.min(...costs);
  const way = ways[costs.indexOf(least)] ?? first;
  if (isQueued && least >= sql.MANY) {
    const near = await read(sql.wayOfEmails(hashes, states, span, { near: true }));
    if (near[0]?.available === limit) return near;
  }
  return read(way);
}
