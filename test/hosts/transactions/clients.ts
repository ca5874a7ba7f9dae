import { PrismaPg } from '@prisma/adapter-pg';
import { drizzle } from 'drizzle-orm/node-postgres';
import knex, { type Knex } from 'knex';
import type { Transaction } from 'nestjs-emails';
import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { DatabaseClient, OpenTransaction } from './client.js';
import { ofDrizzle } from './recipes/drizzle.js';
import { PrismaClient } from './recipes/generated/client.js';
import { ofKnex } from './recipes/knex.js';
import { ofPrisma } from './recipes/prisma.js';

type Connect = (url: string, dataSource: DataSource) => DatabaseClient;

/** A transaction whose savepoints are SQL. */
function plain(transaction: Transaction, run: (sql: string) => Promise<unknown>): OpenTransaction {
  const open: OpenTransaction = {
    transaction,
    run,
    nest: async (work) => {
      await run('SAVEPOINT nested');
      try {
        return await work(open);
      } catch (error) {
        await run('ROLLBACK TO SAVEPOINT nested');
        throw error;
      }
    },
  };
  return open;
}

function managed(manager: EntityManager): OpenTransaction {
  return {
    transaction: manager,
    run: (sql) => manager.query(sql),
    nest: (work) => manager.transaction((inner) => work(managed(inner))),
  };
}

function ofTransaction(trx: Knex.Transaction): OpenTransaction {
  return {
    transaction: ofKnex(trx),
    run: async (sql) => trx.raw(sql),
    nest: (work) => trx.transaction((inner) => work(ofTransaction(inner))),
  };
}

type DrizzleTransaction = Parameters<Parameters<ReturnType<typeof drizzle>['transaction']>[0]>[0];

function drizzled(tx: DrizzleTransaction): OpenTransaction {
  return {
    transaction: ofDrizzle(tx),
    run: async (sql) => tx.execute(sql),
    nest: (work) => tx.transaction((inner) => work(drizzled(inner))),
  };
}

const entityManager: Connect = (_, dataSource) => ({
  transact: (work) => dataSource.transaction((manager) => work(managed(manager))),
  close: async () => {},
});

const queryRunner: Connect = (_, dataSource) => ({
  transact: async (work) => {
    const runner = dataSource.createQueryRunner();
    const open: OpenTransaction = {
      transaction: runner,
      run: (sql) => runner.query(sql),
      nest: (nested) => within(nested),
    };
    const within = async <T>(inner: (given: OpenTransaction) => Promise<T>): Promise<T> => {
      await runner.startTransaction();
      try {
        const result = await inner(open);
        await runner.commitTransaction();
        return result;
      } catch (error) {
        await runner.rollbackTransaction();
        throw error;
      }
    };
    try {
      return await within(work);
    } finally {
      await runner.release();
    }
  },
  close: async () => {},
});

const nodePostgres: Connect = (url) => {
  const pool = new pg.Pool({ connectionString: url });
  return {
    transact: async (work) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const result = await work(plain(client, (sql) => client.query(sql)));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
};

const onDrizzle: Connect = (url) => {
  const pool = new pg.Pool({ connectionString: url });
  const db = drizzle(pool);
  return { transact: (work) => db.transaction((tx) => work(drizzled(tx))), close: () => pool.end() };
};

const onKnex: Connect = (url) => {
  const db = knex({ client: 'pg', connection: url });
  return { transact: (work) => db.transaction((trx) => work(ofTransaction(trx))), close: () => db.destroy() };
};

const onPrisma: Connect = (url) => {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  return {
    transact: (work) => prisma.$transaction((tx) => work(plain(ofPrisma(tx), (sql) => tx.$executeRawUnsafe(sql)))),
    close: () => prisma.$disconnect(),
  };
};

/** Libraries whose transactions emails join, by the name in the title of a test. */
export const clients = {
  EntityManager: entityManager,
  QueryRunner: queryRunner,
  pg: nodePostgres,
  Drizzle: onDrizzle,
  Knex: onKnex,
  Prisma: onPrisma,
} satisfies Record<string, Connect>;

export type ClientName = keyof typeof clients;
