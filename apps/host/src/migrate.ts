import 'reflect-metadata';
import { startProblem } from './bootstrap/start-problem.js';
import { environmentSettings } from './config/environment.js';
import { migrateDatabase } from './database/migrate-database.js';
import { joinOrStartEmbeddedPostgres } from './embedded/embedded-postgres.js';

/** `npm run migrate`: brings the database of `DATABASE_URL`, else the embedded one, up to date. */
try {
  const { directDatabaseUrl: databaseUrl, dataDir } = environmentSettings();
  const database = databaseUrl === undefined ? await joinOrStartEmbeddedPostgres({ dataDir }) : undefined;
  try {
    const done = await migrateDatabase(databaseUrl ?? database?.url ?? '');
    process.stdout.write(done.length === 0 ? 'The database is up to date.\n' : `Migrated: ${done.join(', ')}.\n`);
  } finally {
    await database?.stop();
  }
} catch (error) {
  process.stderr.write(startProblem(error));
  process.exitCode = 1;
}
