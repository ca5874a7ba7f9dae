import type { Transaction } from 'nestjs-emails';

/** An open transaction in a host's code. */
export interface OpenTransaction {
  /** The transaction that emails join. */
  transaction: Transaction;
  run(sql: string): Promise<unknown>;
  /** Runs work at a savepoint, and rolls back to it when the work rejects. */
  nest<T>(work: (inner: OpenTransaction) => Promise<T>): Promise<T>;
}

/** A database library of a host. */
export interface DatabaseClient {
  /** Runs work in a transaction, which is committed when the work resolves, and rolled back when it rejects. */
  transact<T>(work: (open: OpenTransaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
