import { csvRecord } from '../../shared/text/csv.js';
import type { ListedSuppressionDto } from './listed-suppression.dto.js';

/** Columns of the file, in their order. */
export const EXPORT_COLUMNS = ['email', 'origin', 'reason', 'source_id', 'created_at', 'expires_at'] as const;

/** An entry of the file, and its position in the list. */
export type ExportedSuppression = Pick<ListedSuppressionDto, (typeof EXPORT_COLUMNS)[number]> & { seq: string };

/**
 * The CSV file of entries, a page at a time.
 *
 * @param first the newest entries
 * @param read the entries after a position, newest first; at the end fewer than `limit`
 */
export async function* suppressionsCsv(
  first: readonly ExportedSuppression[],
  read: (after: string) => Promise<readonly ExportedSuppression[]>,
  limit: number,
): AsyncGenerator<string> {
  let text = csvRecord(EXPORT_COLUMNS);
  for (let page = first; ; ) {
    yield text + page.map((entry) => csvRecord(EXPORT_COLUMNS.map((name) => entry[name] ?? ''))).join('');
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    text = '';
    page = await read(last.seq);
  }
}
