import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PATIENCE } from '../basics/patience.mjs';

const EMBEDDED = new URL('../../../apps/host/dist/embedded/embedded-postgres.js', import.meta.url);

/** Suites run in parallel, and some have several hosts. */
const CONNECTIONS = 300;

/**
 * The host's own embedded PostgreSQL as the one server of a test run. Resolves to `{ url, stop() }`; `url` is an
 * administrator's.
 *
 * `fsync: false` is for suites, which create and drop many databases and need no durability: each takes a third less
 * time.
 */
export async function startPostgresServer(dataDir, { fsync = true } = {}) {
  if (!existsSync(fileURLToPath(EMBEDDED))) throw new Error('The host is not built: run `npm run build` first.');
  const { startEmbeddedPostgres } = await import(EMBEDDED.href);
  const first = await startEmbeddedPostgres({ dataDir });
  try {
    await asAdministrator(first.url, async (admin) => {
      await admin.query(`ALTER SYSTEM SET max_connections = ${CONNECTIONS}`);
      if (!fsync) await admin.query('ALTER SYSTEM SET fsync = off');
    });
  } finally {
    await first.stop();
  }
  return startEmbeddedPostgres({ dataDir });
}

async function asAdministrator(url, work) {
  const admin = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

/** Drops every database whose name starts with `prefix`. */
export async function dropDatabases(adminUrl, prefix) {
  await asAdministrator(adminUrl, async (admin) => {
    const { rows } = await admin.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) {
      await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(datname)} WITH (FORCE)`);
    }
  });
}
