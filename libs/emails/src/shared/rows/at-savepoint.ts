import { sqlState } from '../errors/database-errors.js';
import { notOpen, type SqlTransaction } from './sql-transaction.js';

const NO_TRANSACTION = '25P01';

/**
 * Runs statements at a savepoint: after a failure the transaction continues from there.
 *
 * @throws Error that says so when no transaction is open
 */
export async function atSavepoint<T>(transaction: SqlTransaction, work: () => Promise<T>): Promise<T> {
  try {
    await transaction.query('SAVEPOINT nestjs_emails', []);
  } catch (error) {
    throw error instanceof Error && sqlState(error) === NO_TRANSACTION ? notOpen(error) : error;
  }
  try {
    const result = await work();
    await transaction.query('RELEASE SAVEPOINT nestjs_emails', []);
    return result;
  } catch (error) {
    // A lost connection cannot roll back; the first error is the cause.
    await transaction.query('ROLLBACK TO SAVEPOINT nestjs_emails', []).then(
      () => transaction.query('RELEASE SAVEPOINT nestjs_emails', []),
      () => {},
    );
    throw error;
  }
}
