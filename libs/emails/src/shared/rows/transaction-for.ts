import type { EntityManager } from 'typeorm';
import type { Transaction } from './sql-transaction.js';

/**
 * The transaction in which a table of `own` can be written: the given one, or `own` if that is of another data source. A
 * feature may have a data source of its own, whose database need not have the table.
 */
export function transactionFor(own: EntityManager, given: Transaction | undefined): Transaction {
  if (!given) return own;
  const { connection = own.connection } = given as Partial<EntityManager>;
  return connection === own.connection ? given : own;
}
