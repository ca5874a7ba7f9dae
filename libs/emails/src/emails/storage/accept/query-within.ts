import type { Repository } from 'typeorm';
import type { JoinedTransaction } from './transactions.js';

/** Returns the rows of a statement, run in the transaction that emails join, or by the repository if there is none. */
export async function queryWithin<Row>(
  transaction: JoinedTransaction | undefined,
  repository: Pick<Repository<never>, 'query'>,
  sql: string,
  parameters: unknown[],
): Promise<Row[]> {
  if (!transaction) return repository.query(sql, parameters);
  return (await transaction.query(sql, parameters)).rows as Row[];
}
