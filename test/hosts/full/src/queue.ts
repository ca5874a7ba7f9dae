import { createPostgresBackend, runMigrations, setDefaultBackendFactory } from 'bullmq';
import pg from 'pg';
import { settings } from './settings.js';

if (!settings.redisUrl) setDefaultBackendFactory(createPostgresBackend);

export const connection = settings.redisUrl ? { url: settings.redisUrl } : { connectionString: settings.databaseUrl };

/** Creates the queue's own tables, if it is in PostgreSQL. */
export async function migrateQueue(): Promise<void> {
  if (settings.redisUrl) return;
  const client = new pg.Client(settings.databaseUrl);
  await client.connect();
  await runMigrations(client);
  await client.end();
}
