import { runMigrations as migrateQueue } from 'bullmq';
import type { Client } from 'pg';
import { DataSource } from 'typeorm';
import { StartError } from '../bootstrap/start.error.js';
import { dataSourceOptions } from './data-source-options.js';
import { schemaState } from './schema-state.js';
import { withClient } from './with-client.js';

/** Held while migrations run, so that processes that start together take turns. `host` in ASCII. */
const MIGRATION_LOCK = 0x686f7374;

/**
 * Brings the schemas of the library, the host and the queue up to date, each migration in its own transaction.
 *
 * @returns the names of what was done
 * @throws StartError when the database cannot be reached
 */
export async function migrateDatabase(url: string): Promise<string[]> {
  const { pending } = await withClient(url, schemaState);
  return pending.length === 0 ? [] : withClient(url, (keeper) => taking(keeper, () => migratePending(url)));
}

/** @throws StartError that says what to run, when the schema is older or newer than this version needs it */
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

/** The lock belongs to a transaction: behind a pooler, a session is not ours to keep. */
async function taking<T>(keeper: Client, work: () => Promise<T>): Promise<T> {
  await keeper.query('BEGIN');
  await keeper.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const result = await work();
  await keeper.query('COMMIT');
  return result;
}

function migratePending(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { pending } = await schemaState(client);
    if (pending.length > 0) {
      await migrateTables(url);
      await migrateQueue(client);
    }
    return pending;
  });
}

async function migrateTables(url: string): Promise<void> {
  const options = dataSourceOptions(url);
  // A migration may take as long as it needs, so the limits of everyday statements do not apply.
  const dataSource = new DataSource({ ...options, extra: { max: 2, keepAlive: true } } as typeof options);
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
