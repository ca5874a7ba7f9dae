import type { Repository } from 'typeorm';
import { ApiError } from '../errors/api-error.js';
import { LIMITS } from '../limits.js';
import type { AccountRow } from './account-row.js';
import type { Page, PageRequest } from './page.js';
import { selectedColumns } from './selected-columns.js';

/** The rows of an account in a list. The texts are our SQL, never a caller's. */
export interface ListRule {
  /** A condition on the rows. Default: all. */
  where?: string;
  /** Size of a row in SQL, if callers determine it. Bytes. Default: negligible. */
  weight?: string;
}

/** Limit of a page's rows in bytes; a page always has one row if there is any. */
export const MAX_WEIGHT = LIMITS.pageBytes.max;

/**
 * One page of an account's rows, newest first, by keyset. The planner does not know the limit: for an account that it
 * estimates as small it would read and sort all rows.
 *
 * @throws ApiError 422 when the cursor is not an entry of this list
 */
export async function keysetPage<Row extends AccountRow>(
  repository: Repository<Row>,
  accountId: string,
  { limit, cursor }: PageRequest,
  { where = 'true', weight = '0' }: ListRule = {},
): Promise<Page<Row>> {
  const table = repository.metadata.tablePath;
  const newer = cursor?.direction === 'newer';
  const parameters: unknown[] = [accountId, limit + 1];
  let position = '';
  if (cursor) {
    const [entry]: { seq: string }[] = await repository.query(
      `SELECT seq FROM ${table} WHERE id = $1 AND account_id = $2 AND ${where}`,
      [cursor.id, accountId],
    );
    if (!entry) {
      throw ApiError.invalid(`\`${newer ? 'before' : 'after'}\` must be the id of an object in this list.`);
    }
    parameters.push(entry.seq);
    position = `AND seq ${newer ? '>' : '<'} $3`;
  }
  const order = `seq ${newer ? 'ASC' : 'DESC'}`;
  const found: (Row & { rows_available: number })[] = await repository.query(
    `SELECT ${selectedColumns(repository)}, rows_available FROM (
       SELECT *, row_number() OVER page AS place_in_page, sum(${weight}) OVER page AS weight_of_page,
         (count(*) OVER ())::integer AS rows_available
       FROM (
         SELECT * FROM ${table} WHERE account_id = $1 AND ${where} ${position} ORDER BY ${order} LIMIT (SELECT $2::integer)
       ) AS nearest
       WINDOW page AS (ORDER BY ${order})
     ) AS ${repository.metadata.tableName} WHERE weight_of_page <= ${MAX_WEIGHT} OR place_in_page = 1 ORDER BY ${order}`,
    parameters,
  );
  const items = found.slice(0, limit);
  const hasMore = (found[0]?.rows_available ?? 0) > items.length;
  return { items: newer ? items.reverse() : items, hasMore };
}
