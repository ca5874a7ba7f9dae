import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PATIENCE } from '../basics/patience.mjs';

const EMBEDDED = new URL('../../../apps/host/dist/embedded/embedded-postgres.js', import.meta.url);

/**
 * The host's own embedded PostgreSQL as the one server of a test run.
 * Resolves to `{ url, stop() }`; `url` is an administrator's.
 */
export async function startPostgresServer(dataDir) {
  if (!existsSync(fileURLToPath(EMBEDDED))) throw new Error('The host is not built: run `npm run build` first.');
  const { startEmbeddedPostgres } = await import(EMBEDDED.href);
  return startEmbeddedPostgres({ dataDir });
}

/** Drops every database whose name starts with `prefix`. */
export async function dropDatabases(adminUrl, prefix) {
  const admin = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: PATIENCE });
  await admin.connect();
  try {
    const { rows } = await admin.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) {
      await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(datname)} WITH (FORCE)`);
    }
  } finally {
    await admin.end();
  }
}
