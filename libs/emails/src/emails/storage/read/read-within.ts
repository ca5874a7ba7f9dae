import type { DataSource } from 'typeorm';
import { sqlState } from '../../../shared/errors/database-errors.js';

const QUERY_CANCELED = '57014';

/** A query exceeded its time limit. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/**
 * Runs a query whose cost depends on the caller.
 *
 * @param limit time limit in PostgreSQL, in milliseconds
 * @throws TooSlowError when it does not suffice
 */
export function readWithin<Row>(
  dataSource: DataSource,
  limit: number,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return dataSource.transaction(async (transaction) => {
    await transaction.query("SELECT set_config('statement_timeout', $1, true)", [`${limit}ms`]);
    try {
      return await transaction.query(sql, [...values]);
    } catch (error) {
      if (error instanceof Error && sqlState(error) === QUERY_CANCELED) throw new TooSlowError();
      throw error;
    }
  });
}
