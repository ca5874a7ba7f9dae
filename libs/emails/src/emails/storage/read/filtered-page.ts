import type { EntityManager } from 'typeorm';
import { FIRST_STATE } from '../../states/email-states.js';
import * as sql from './filters.sql.js';
import type { EmailFilters, PageBounds, PageCursor } from './page-bounds.js';

interface Places {
  hashes: string[];
  start: string | null;
  end: string | null;
}

/**
 * The page of `EmailsRepository.filteredPage`. Settings for its statements end with the transaction, also behind a
 * pooler.
 *
 * @param manager of a transaction without other work
 */
export async function findFiltered<Row extends { available: number }>(
  manager: EntityManager,
  accountId: string,
  { terms, states, messageId, start, end }: EmailFilters,
  cursor: PageCursor | undefined,
  { limit, inlineBytes, maxBytes, columns }: PageBounds,
): Promise<Row[]> {
  const direction = cursor?.direction ?? 'older';
  const from = [accountId, cursor?.seq ?? null];
  await manager.query(sql.FOLLOW_INDEXES);
  const [places]: Places[] = await manager.query(sql.PLACES, [accountId, terms, start, end]);
  const { hashes, ...times } = places ?? { hashes: [], start: null, end: null };
  const span = { direction, ...times };
  const read = (path: sql.FilterPath): Promise<Row[]> => {
    const values = [...from, limit, inlineBytes, maxBytes];
    return manager.query(
      sql.filteredPage(path, span, columns),
      messageId === undefined ? values : [...values, messageId],
    );
  };

  if (messageId !== undefined) return read(sql.pathOfEmails(hashes, states, span, { messageId }));
  const paths = sql.pathsOf(hashes, states, span);
  const [first] = paths;
  if (!first) return read(sql.pathOfEmails(hashes, states, span));
  const isQueued = states?.includes(FIRST_STATE.now) ?? false;
  if (paths.length === 1 && !isQueued) return read(first);

  const [{ costs } = { costs: [] }]: { costs: number[] }[] = await manager.query(sql.costsOf(paths), from);
  const least = Math.min(...costs);
  const path = paths[costs.indexOf(least)] ?? first;
  if (isQueued && least >= sql.MANY) {
    const near = await read(sql.pathOfEmails(hashes, states, span, { near: true }));
    if (near[0]?.available === limit) return near;
  }
  return read(path);
}
