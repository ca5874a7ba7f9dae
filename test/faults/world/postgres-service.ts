import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterFile } from '../../support/basics/cleanup.js';
import { PATIENCE } from '../../support/basics/patience.mjs';
import { until } from '../../support/basics/wait-for.js';
import { runScript } from '../../support/hosts/host-process.js';

interface EmbeddedDatabase {
  url: string;
  stop(): Promise<void>;
}

type Embedded = { startEmbeddedPostgres(options: { dataDir: string }): Promise<EmbeddedDatabase> };
type Homes = { findPostgresHome(dataDir: string): { data: string } | undefined };
type Postmasters = { postmasterEnded(data: string, patience: number): Promise<boolean> };

const BUILT = new URL('../../../apps/host/dist/embedded/', import.meta.url);
const TEMPLATE = 'faults_template';
const ALIVE = 'SELECT 1';

/** The PostgreSQL server of a world. */
export interface Postgres {
  url(database: string): string;
  /** A migrated database. */
  createDatabase(): Promise<string>;
  /** The run's own connections. They are replaced with the server. */
  pool(database: string): pg.Pool;
  /** Breaks every connection, without a checkpoint. */
  stopAtOnce(): Promise<void>;
  /** Resolves when the server runs again; it recovers from its log. */
  startAgain(): Promise<void>;
  /** Log of the server. */
  log(): string;
  stop(): Promise<void>;
}

/** A separate PostgreSQL server, which can be stopped at once. */
export class PostgresService implements Postgres {
  private readonly admin: pg.Pool;
  private worlds = 0;
  private ended = false;

  private constructor(
    readonly dataDir: string,
    private readonly embedded: Embedded,
    private readonly data: string,
    private database: EmbeddedDatabase,
  ) {
    this.admin = this.pool('emails');
  }

  /** @param dataDir created here; PostgreSQL's user must be able to reach it */
  static async start(dataDir: string): Promise<PostgresService> {
    const embedded: Embedded = await import(new URL('embedded-postgres.js', BUILT).href);
    const { findPostgresHome }: Homes = await import(new URL('postgres/postgres-home.js', BUILT).href);
    const first = await embedded.startEmbeddedPostgres({ dataDir });
    const client = new pg.Client({ connectionString: first.url });
    await client.connect();
    await client.query('ALTER SYSTEM SET max_connections = 500');
    await client.end();
    await first.stop();
    const home = findPostgresHome(dataDir);
    if (!home) throw new Error(`There is no cluster in ${dataDir}.`);
    const database = await embedded.startEmbeddedPostgres({ dataDir });
    const service = new PostgresService(dataDir, embedded, home.data, database);
    afterFile(() => service.end());
    await service.admin.query(`CREATE DATABASE ${TEMPLATE}`);
    const { code, output } = await runScript('migrate', [], { DATABASE_URL: service.url(TEMPLATE) });
    if (code !== 0) throw new Error(`The migrations failed:\n${output}`);
    return service;
  }

  url(database: string): string {
    const url = new URL(this.database.url);
    url.pathname = `/${database}`;
    return url.href;
  }

  async createDatabase(): Promise<string> {
    this.worlds += 1;
    const name = `faults_${this.worlds}`;
    await this.admin.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
    return name;
  }

  pool(database: string): pg.Pool {
    return poolOf(this.url(database));
  }

  /** Immediate shutdown; resolves after the end of the server. */
  async stopAtOnce(): Promise<void> {
    const { postmasterEnded }: Postmasters = await import(new URL('postgres/postmaster.js', BUILT).href);
    process.kill(Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]), 'SIGQUIT');
    if (!(await postmasterEnded(this.data, PATIENCE))) throw new Error('PostgreSQL does not stop.');
    await this.database.stop();
  }

  /** On another port. */
  async startAgain(): Promise<void> {
    this.database = await this.embedded.startEmbeddedPostgres({ dataDir: this.dataDir });
    const pool = this.pool('emails');
    await until(() => pool.query(ALIVE));
    await pool.end();
  }

  log(): string {
    return readFileSync(join(this.dataDir, 'postgres.log'), 'utf8');
  }

  async stop(): Promise<void> {
    await this.admin.end();
    await this.end();
  }

  /** Ends all connections. Does nothing the second time. */
  private async end(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.database.stop();
  }
}

export function poolOf(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: PATIENCE });
  // The next query reports the error if it persists.
  pool.on('error', () => {});
  return pool;
}
