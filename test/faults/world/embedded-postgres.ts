import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { PATIENCE } from '../../support/basics/patience.mjs';
import { until } from '../../support/basics/wait-for.js';
import { type Postgres, poolOf } from './postgres-service.js';

interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

type Homes = { findPostgresHome(dataDir: string): { data: string; password: string } | undefined };
type Postmasters = {
  runningPostmaster(data: string): Postmaster | undefined;
  postmasterEnded(data: string, patience: number): Promise<boolean>;
  stopPostmaster(data: string): Promise<void>;
};

const BUILT = new URL('../../../apps/host/dist/embedded/postgres/', import.meta.url);
/** An unused port. */
const NOBODY = 1;

/** The PostgreSQL server that a host starts in its data directory. Before the host's first start there is none. */
export class EmbeddedPostgres implements Postgres {
  /** Process id of the server that was killed last. */
  private killed: number | undefined;

  private constructor(
    private readonly dataDir: string,
    private readonly homes: Homes,
    private readonly postmasters: Postmasters,
  ) {}

  static async of(dataDir: string): Promise<EmbeddedPostgres> {
    const homes: Homes = await import(new URL('postgres-home.js', BUILT).href);
    const postmasters: Postmasters = await import(new URL('postmaster.js', BUILT).href);
    return new EmbeddedPostgres(dataDir, homes, postmasters);
  }

  url(database: string): string {
    const home = this.homes.findPostgresHome(this.dataDir);
    const password = home && readFileSync(home.password, 'utf8').trim();
    return `postgres://postgres:${password}@127.0.0.1:${this.running?.port ?? NOBODY}/${database}`;
  }

  /** The host creates it. */
  async createDatabase(): Promise<string> {
    return 'emails';
  }

  pool(database: string): pg.Pool {
    return poolOf(this.url(database));
  }

  /** SIGKILL of the postmaster. */
  async stopAtOnce(): Promise<void> {
    const { pid } = this.running ?? {};
    if (pid === undefined) throw new Error('The host has no PostgreSQL server.');
    this.killed = pid;
    process.kill(pid, 'SIGKILL');
  }

  /** Waits for the host, which starts the server. */
  async startAgain(): Promise<void> {
    const isBack = () => this.running?.ready === true && this.running.pid !== this.killed;
    await until(isBack, { what: 'the host to start its PostgreSQL again' });
  }

  log(): string {
    const path = join(this.dataDir, 'postgres.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** The server stops by itself after the end of its host. */
  async stop(): Promise<void> {
    const home = this.homes.findPostgresHome(this.dataDir);
    if (!home || (await this.postmasters.postmasterEnded(home.data, PATIENCE))) return;
    await this.postmasters.stopPostmaster(home.data);
  }

  private get running(): Postmaster | undefined {
    const home = this.homes.findPostgresHome(this.dataDir);
    return home && this.postmasters.runningPostmaster(home.data);
  }
}
