import type { EntityManager, QueryRunner } from 'typeorm';
import { withSqlState } from '../errors/driver-error.js';

/**
 * An open transaction on PostgreSQL of any library. A client of `pg` implements it; `docs/guides/transactions.md` has
 * adapters for others.
 */
export interface SqlTransaction {
  /**
   * Runs one statement on the connection of the transaction.
   *
   * @param parameters the values of `$1`, `$2` and so on: strings, numbers, null, Buffers (`bytea`) and arrays of strings
   */
  query(sql: string, parameters: unknown[]): Promise<{ rows: object[] }>;
}

/** The caller's transaction: an `EntityManager` or a `QueryRunner` of TypeORM, or an `SqlTransaction`. */
export type Transaction = EntityManager | QueryRunner | SqlTransaction;

/** The caller's transaction, open as far as TypeORM knows. */
export interface JoinedTransaction extends SqlTransaction {
  /** Reports the commit. Undefined: the commit cannot be seen. */
  readonly runner: QueryRunner | undefined;
}

const NO_TRANSACTION =
  '`transaction` must be an EntityManager or a QueryRunner of TypeORM, or an object whose ' +
  '`query(sql, parameters)` resolves to `{ rows }`.';
const NO_ROWS =
  '`transaction.query` must resolve to `{ rows }`, an array of objects. ' +
  'Wrap a function that resolves to the rows alone: `async (sql, parameters) => ({ rows: await … })`.';

/** @throws TypeError for an object that is not a transaction */
export function sqlOf(transaction: Transaction): SqlTransaction {
  if (isManager(transaction)) {
    const { queryRunner } = transaction;
    return queryRunner
      ? sqlOf(queryRunner)
      : { query: async (sql, parameters) => ({ rows: await transaction.query(sql, parameters) }) };
  }
  if (isRunner(transaction)) {
    return { query: async (sql, parameters) => ({ rows: (await transaction.query(sql, parameters, true)).records }) };
  }
  if (typeof transaction?.query !== 'function') throw new TypeError(NO_TRANSACTION);
  return {
    query: async (sql, parameters) => {
      const result: unknown = await withSqlState(transaction.query(sql, parameters));
      if (!hasRows(result)) throw new TypeError(NO_ROWS);
      return result;
    },
  };
}

/**
 * The transaction for statements of ours. Of another library's, only a savepoint shows whether it is open.
 *
 * @throws TypeError when it is no transaction
 * @throws Error when TypeORM knows that it is not open
 */
export function joinedOf(transaction: Transaction): JoinedTransaction {
  const runner = runnerOf(transaction);
  if (runner?.isTransactionActive === false || (isManager(transaction) && !runner)) throw notOpen();
  return { ...sqlOf(transaction), runner };
}

export function notOpen(cause?: unknown): Error {
  return new Error(
    '`transaction` is not open. Pass what `dataSource.transaction(…)` hands over, or the client on which `BEGIN` was sent: ' +
      'no pool, and nothing that is committed or rolled back.',
    { cause },
  );
}

/** The query runner by which TypeORM runs the transaction. Undefined: another library does, or nothing. */
function runnerOf(transaction: Transaction): QueryRunner | undefined {
  if (isManager(transaction)) return transaction.queryRunner;
  return isRunner(transaction) ? transaction : undefined;
}

/** An app may have two copies of TypeORM, so that no class tells. MikroORM's manager has repositories too, and no `query`. */
function isManager(transaction: Transaction): transaction is EntityManager {
  const { getRepository, query } = (transaction ?? {}) as EntityManager;
  return typeof getRepository === 'function' && typeof query === 'function';
}

function isRunner(transaction: Transaction): transaction is QueryRunner {
  const { isTransactionActive, query } = (transaction ?? {}) as QueryRunner;
  return typeof isTransactionActive === 'boolean' && typeof query === 'function';
}

function hasRows(result: unknown): result is { rows: object[] } {
  const { rows } = (result ?? {}) as { rows?: unknown };
  return Array.isArray(rows) && !Array.isArray(rows[0]);
}
