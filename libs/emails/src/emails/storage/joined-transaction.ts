import type { EntityManager } from 'typeorm';
import type { SameDatabase } from './database-identity.js';

/** @throws Error when emails cannot join what the host gave for a transaction of its own */
export async function checkJoined(transaction: EntityManager, database: SameDatabase): Promise<void> {
  if (!transaction.queryRunner?.isTransactionActive) {
    throw new Error('`manager` has no transaction. Pass the one that `dataSource.transaction(…)` hands over.');
  }
  if (!(await database.has(transaction))) {
    throw new Error(
      '`manager` is of another database than the emails. Pass one of the database that `EmailsModule` has.',
    );
  }
}
