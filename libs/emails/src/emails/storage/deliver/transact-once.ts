import type { DataSource } from 'typeorm';
import { isKnownFailure, OutcomeUnknownError } from '../../../shared/errors/database-errors.js';

/** The query function of node-postgres through TypeORM, within a transaction. */
export interface Transaction {
  query<Row>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>;
}

/**
 * Runs work that must not run twice, in a transaction of its own.
 *
 * @param begin the statements that begin the transaction
 * @throws OutcomeUnknownError when the commit was sent and its outcome is unknown. After any other failure nothing was
 * changed.
 */
export async function transactOnce<T>(
  dataSource: DataSource,
  begin: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    const connection: Transaction = await runner.connect();
    const result = await orRollBack(connection, async () => {
      await connection.query(begin);
      return work(connection);
    });
    await commit(connection);
    return result;
  } finally {
    await runner.release();
  }
}

async function orRollBack<T>(connection: Transaction, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A connection that cannot roll back has ended, and the transaction with it.
    await connection.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function commit(connection: Transaction): Promise<void> {
  try {
    await connection.query('COMMIT');
  } catch (error) {
    throw isKnownFailure(error) ? error : new OutcomeUnknownError({ cause: error });
  }
}
