import type { DataSource } from 'typeorm';
import { isKnownFailure, OutcomeUnknownError } from '../../shared/errors/database-errors.js';

/** What node-postgres gives through TypeORM, within a transaction. */
export interface Transaction {
  query<Row>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>;
}

/**
 * Does work in a transaction of its own that must not be done twice.
 *
 * @param begin the statements that it begins with
 * @throws OutcomeUnknownError when its commit was sent and nobody knows whether it came to pass. After any other failure
 * nothing has happened.
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
    // A connection that cannot do so has ended, and with it the transaction.
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
