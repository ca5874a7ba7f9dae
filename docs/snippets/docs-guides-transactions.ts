import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import type { Knex } from 'knex';
import type { Transaction } from 'kysely';
import type { EmailsService, SendEmail, SqlTransaction } from 'nestjs-emails';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { Prisma } from './generated/client.js';

declare const emails: EmailsService;
declare const account: string;
declare const email: SendEmail;
declare const id: string;
declare const customer: string;
declare const dataSource: DataSource;
declare class Order {
  customer: string;
}
declare const pool: Pool;
declare const db: NodePgDatabase;
const orders = pgTable('orders', { customer: text('customer').notNull() });
declare const knex: Knex;
declare const prisma: {
  $transaction<T>(
    work: (tx: Prisma.TransactionClient & { order: { create(row: { data: Order }): Promise<Order> } }) => Promise<T>,
  ): Promise<T>;
};
declare const em: {
  transactional<T>(
    work: (inner: { persist(row: object): void; getTransactionContext(): object }) => Promise<T>,
  ): Promise<T>;
};
declare const order: Order;
declare function ofDrizzle(tx: Pick<NodePgDatabase, 'execute'>): SqlTransaction;
declare function ofKnex(trx: Knex.Transaction): SqlTransaction;
declare function ofPrisma(tx: Prisma.TransactionClient): SqlTransaction;
declare function ofKysely(trx: Transaction<unknown>): SqlTransaction;
