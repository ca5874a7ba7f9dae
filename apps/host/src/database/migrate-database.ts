import { runMigrations as migrateQueue } from 'bullmq';
import { DataSource } from 'typeorm';
import { StartError } from '../bootstrap/start.error.js';
import { dataSourceOptions } from './data-source-options.js';
import { pendingMigrations } from './pending-migrations.js';
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
  return withClient(url, async (client) => {
    if ((await pendingMigrations(client)).length === 0) {
      return [];
    }
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const pending = await pendingMigrations(client);
    if (pending.length > 0) {
      await migrateTables(url);
      await migrateQueue(client);
    }
    return pending;
  });
}

/** @throws StartError that says what to run, when something was not migrated yet */
export async function requireMigratedDatabase(url: string): Promise<void> {
  const pending = await withClient(url, pendingMigrations);
  if (pending.length > 0) {
    throw new StartError(
      `The database is not up to date. Run \`npm run migrate\` with the same DATABASE_URL, then start again ` +
        `(pending: ${pending.join(', ')}).`,
    );
  }
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
