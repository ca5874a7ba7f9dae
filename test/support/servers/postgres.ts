import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterFile } from '../basics/cleanup.js';
import { PATIENCE } from '../basics/patience.mjs';
import { runScript } from '../hosts/host-process.js';
import { fromTestRun, generation, hostKind } from '../jest/test-environment.js';
import { TcpProxy } from './proxy/tcp-proxy.js';

export interface TestDatabase {
  url: string;
  query: Query;
}

export interface OwnDatabase extends TestDatabase {
  /** For statements whose whole results are needed. */
  pool: pg.Pool;
}

/** Sends SQL over a separate connection and returns the rows. */
export type Query = <T extends pg.QueryResultRow = pg.QueryResultRow>(
  sql: string,
  params?: readonly unknown[],
) => Promise<T[]>;

/** A separate migrated database on the server of this run. It is deleted after the test file. */
export async function freshDatabase(): Promise<OwnDatabase> {
  return createDatabase(await migratedTemplate());
}

/** The URL of a migrated database that is deleted with this run. */
export async function lastingDatabase(): Promise<string> {
  return databaseUrl(await cloneOf(await migratedTemplate()));
}

/** The same as `freshDatabase` without any table: for tests of the migrations themselves. */
export function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

/** A proxy in front of the PostgreSQL server of this run, to simulate outages. */
export function startPostgresProxy(): Promise<TcpProxy> {
  const { hostname, port } = new URL(fromTestRun('TEST_DATABASE_URL'));
  return TcpProxy.start(hostname, Number(port || 5432));
}

async function createDatabase(template: string): Promise<OwnDatabase> {
  const name = await cloneOf(template);
  afterFile(() => administer((admin) => admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)));
  return openDatabase(databaseUrl(name));
}

async function cloneOf(template: string): Promise<string> {
  const name = databaseName(randomBytes(6).toString('hex'));
  await administer((admin) => admin.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`));
  return name;
}

/** The database at `url`, for this test file. */
export function openDatabase(url: string): OwnDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // Lost connections are expected when a test stops the server; the next query reports the error.
  pool.on('error', () => {});
  afterFile(() => pool.end());
  return { url, pool, query: async (sql, params = []) => (await pool.query(sql, [...params])).rows };
}

/** Migrated once per run by each host and generation of its peers, by the first jest worker, then copied. */
async function migratedTemplate(): Promise<string> {
  const name = databaseName(`template_${hostKind() === 'ours' ? 'ours' : generation()}`);
  await administer(async (admin) => {
    const lock = createHash('sha256').update(name).digest().readInt32BE();
    await admin.query('SELECT pg_advisory_lock($1)', [lock]);
    const found = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount) return;
    const draft = `${name}_draft`;
    await admin.query(`DROP DATABASE IF EXISTS "${draft}" WITH (FORCE)`);
    await admin.query(`CREATE DATABASE "${draft}" TEMPLATE template0`);
    const migration = await runScript('migrate', [], { DATABASE_URL: databaseUrl(draft) });
    if (migration.code !== 0) throw new Error(`migrate.js failed:\n${migration.output}`);
    await admin.query(`ALTER DATABASE "${draft}" RENAME TO "${name}"`);
  });
  return name;
}

function databaseName(suffix: string): string {
  return `emails_test_${fromTestRun('TEST_RUN_ID')}_${suffix}`;
}

function databaseUrl(name: string): string {
  const url = new URL(fromTestRun('TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  return url.href;
}

async function administer<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({
    connectionString: fromTestRun('TEST_DATABASE_URL'),
    connectionTimeoutMillis: PATIENCE,
  });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
