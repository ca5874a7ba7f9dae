import { setTimeout as delay } from 'node:timers/promises';
import { runMigrations as migrateQueue, type PgQueryable } from 'bullmq';
import { AbstractLogger, DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { StartError } from '../shared/errors/start.error.js';
import { dataSourceOptions } from './data-source-options.js';
import { schemaState } from './schema-state.js';
import { withClient } from './with-client.js';

/** Advisory lock of migrations, so that processes that start together take turns (`host` in ASCII). */
const MIGRATION_LOCK = 0x686f7374;

/** Delay before a busy migration lock or table is tried again. Milliseconds. */
const PAUSE = 500;

/**
 * Lifts timeouts of the role, the database or the server for this transaction only, because the session behind a pooler
 * is shared. Settings that this version of PostgreSQL does not have are skipped. The lock timeout is short, since later
 * users of the table queue behind the migration; in a deadlock the migration gives way and never an email, within
 * PostgreSQL's `deadlock_timeout` of a second for up to three tables.
 */
const LIFT_LIMITS = `
SELECT set_config(name, CASE name WHEN 'lock_timeout' THEN '300' ELSE '0' END, true) FROM pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

const ACQUIRE_LOCK = 'SELECT pg_try_advisory_xact_lock($1) AS taken';

/** SQLSTATE of a lock timeout, and of a deadlock. */
const LOCKED = ['55P03', '40P01'];

/**
 * Brings the schemas of the library, the host and the queue up to date in one transaction, by one process at a time.
 *
 * @returns the names of executed migrations
 * @throws StartError when the database cannot be reached
 */
export async function migrateDatabase(url: string): Promise<string[]> {
  const { pending } = await withClient(url, schemaState);
  if (pending.length === 0) return [];
  for (;;) {
    // A new connection each time, because the role's timeouts may end an idle one.
    const done = await withRunner(url, tryToMigrate);
    if (done !== undefined) return done;
    await delay(PAUSE);
  }
}

/** @throws StartError with the command to run, when the schema is older or newer than this version needs */
export async function requireMigratedDatabase(url: string): Promise<void> {
  const { pending, tooNew } = await withClient(url, schemaState);
  if (tooNew.length > 0) {
    throw new StartError(
      `The database is too new for this version: it was migrated by a later one. Run that version, or restore a ` +
        `backup of the database from before (unknown here: ${tooNew.join(', ')}).`,
    );
  }
  if (pending.length > 0) {
    throw new StartError(
      `The database is not up to date. Run \`npm run migrate\` with the same DATABASE_URL, then start again ` +
        `(pending: ${pending.join(', ')}).`,
    );
  }
}

/**
 * TypeORM prints every failed attempt, even if it is retried. The final failure is thrown, and the caller reports it.
 */
class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {}
}

async function withRunner<T>(url: string, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const options = dataSourceOptions(url);
  // Without statement timeouts; and a pooler may allow only one connection.
  const extra = { max: 1, keepAlive: true };
  const dataSource = new DataSource({ ...options, extra, logger: new SilentLogger() } as typeof options);
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  try {
    return await work(runner);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** Undefined: another process migrates, or has a table locked. Nothing was done. */
async function tryToMigrate(runner: QueryRunner): Promise<string[] | undefined> {
  const client: PgQueryable = await runner.connect();
  await runner.startTransaction('READ COMMITTED');
  try {
    await client.query(LIFT_LIMITS);
    const { rows } = await client.query<{ taken: boolean }>(ACQUIRE_LOCK, [MIGRATION_LOCK]);
    const done = rows[0]?.taken ? await migratePending(runner, client) : undefined;
    await runner.commitTransaction();
    return done;
  } catch (error) {
    // The error that ended the transaction counts, not that of the rollback.
    await runner.rollbackTransaction().catch(() => {});
    if (LOCKED.includes(String((error as { code?: unknown }).code))) return undefined;
    throw error;
  }
}

async function migratePending(runner: QueryRunner, client: PgQueryable): Promise<string[]> {
  const { pending } = await schemaState(client);
  if (pending.length > 0) {
    const executor = new MigrationExecutor(runner.dataSource, runner);
    executor.transaction = 'all';
    await executor.executePendingMigrations();
    // The last step, because it changes the search path of the transaction.
    await migrateQueue(withinTransaction(client));
  }
  return pending;
}

/** Starts and ends no transaction, because it runs in one. */
function withinTransaction(client: PgQueryable): PgQueryable {
  const bounds = ['BEGIN', 'COMMIT', 'ROLLBACK'];
  return {
    query: async (text, values) => (bounds.includes(text) ? { rows: [], rowCount: 0 } : client.query(text, values)),
  };
}
