import { ApiError, type ListEnvelope, type PageRequest } from 'nestjs-emails';
import type { DataSource } from 'typeorm';

/** A list of one account's rows. The texts are SQL of ours, never of a caller. */
export interface ListSource {
  /** A table with `id`, `account_id` and `seq`, unique within the account and growing. */
  table: string;
  /** Columns as they appear in an entry. */
  columns: string;
  /** A further condition on the rows. */
  where: string;
  /** Bytes of a row, where a caller decides how many. Default: too few to count. */
  weight?: string;
}

/** A page ends before its rows weigh more, but has one row if there is any. */
const MAX_WEIGHT = 5_000_000;

/** A timestamp as the contract writes it: six fractional digits, UTC. Null stays null. */
export function timestampSql(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`;
}

/**
 * One page, newest first, by keyset. The planner does not know the limit: for an account that it takes for a small one it
 * would read and sort all of its rows.
 *
 * @throws ApiError 422 when the cursor is no entry of this list
 */
export async function listPage<T>(
  dataSource: DataSource,
  { table, columns, where, weight = '0' }: ListSource,
  accountId: string,
  { limit, cursor }: PageRequest,
): Promise<ListEnvelope<T>> {
  const newer = cursor?.direction === 'newer';
  const parameters: unknown[] = [accountId, limit + 1];
  let position = '';
  if (cursor !== undefined) {
    const [entry] = await dataSource.query<{ seq: string }[]>(
      `SELECT seq FROM ${table} WHERE id = $1 AND account_id = $2 AND ${where}`,
      [cursor.id, accountId],
    );
    if (entry === undefined) {
      throw ApiError.invalid(`\`${newer ? 'before' : 'after'}\` must be the id of an object in this list.`);
    }
    parameters.push(entry.seq);
    position = `AND seq ${newer ? '>' : '<'} $3`;
  }
  const order = `seq ${newer ? 'ASC' : 'DESC'}`;
  const rows = await dataSource.query<(T & Cut)[]>(
    `SELECT ${columns}, available FROM (
       SELECT *, row_number() OVER page AS place, sum(${weight}) OVER page AS weight, (count(*) OVER ())::integer AS available
       FROM (
         SELECT * FROM ${table} WHERE account_id = $1 AND ${where} ${position} ORDER BY ${order} LIMIT (SELECT $2::integer)
       ) AS nearest
       WINDOW page AS (ORDER BY ${order})
     ) AS weighed WHERE weight <= ${MAX_WEIGHT} OR place = 1 ORDER BY ${order}`,
    parameters,
  );
  const data = rows.slice(0, limit).map(({ available: _, ...row }) => row as T);
  return { object: 'list', has_more: (rows[0]?.available ?? 0) > data.length, data: newer ? data.reverse() : data };
}

interface Cut {
  /** How many rows there were before the page was cut. */
  available: number;
}
