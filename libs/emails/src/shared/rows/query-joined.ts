import { atSavepoint } from './at-savepoint.js';
import { joinedOf, type Transaction } from './sql-transaction.js';

/**
 * The rows of one statement in the caller's transaction. Where only a savepoint shows that it is open, the transaction goes
 * on when the statement fails.
 *
 * @throws TypeError when it is no transaction
 * @throws Error when it is not open: the statement would be committed at once
 */
export async function queryJoined(transaction: Transaction, sql: string, parameters: unknown[]): Promise<object[]> {
  const joined = joinedOf(transaction);
  const query = () => joined.query(sql, parameters);
  return (await (joined.runner ? query() : atSavepoint(joined, query))).rows;
}
