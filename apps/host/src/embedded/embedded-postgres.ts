import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { holderOf, lockDataDir } from './postgres/data-dir-lock.js';
import type { SupervisorReport } from './postgres/postgres.supervisor.js';
import { findPostgresHome } from './postgres/postgres-home.js';
import { runningPostmaster, stopPostmaster } from './postgres/postmaster.js';

export interface EmbeddedPostgresOptions {
  /** Where the database is kept; made when it does not exist. */
  dataDir: string;
}

/** A PostgreSQL server on loopback with the database `emails`. */
export interface EmbeddedDatabase {
  /** `postgres://user:password@127.0.0.1:port/emails`; the port differs from start to start. */
  url: string;
  /** Ends the server and returns when it is gone. Does nothing when the server belongs to another process. */
  stop(): Promise<void>;
}

const SUPERVISOR = fileURLToPath(new URL('./postgres/postgres.supervisor.js', import.meta.url));
const JOIN_PATIENCE_MS = 30_000;

/**
 * Starts the database of a data directory. It ends with `stop()`, and with this process, however that ends.
 *
 * @throws Error when another live process has the directory, or when the server does not start
 */
export async function startEmbeddedPostgres({ dataDir }: EmbeddedPostgresOptions): Promise<EmbeddedDatabase> {
  const directory = made(dataDir);
  const unlock = lockDataDir(directory);
  // No pipe of ours is handed on: whoever reads our output sees it end when we do.
  const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];
  const supervisor = fork(SUPERVISOR, [directory], { detached: true, stdio, execArgv: [] });
  const end = (): Promise<void> => stop(supervisor, directory).finally(unlock);
  try {
    const url = urlOf(directory, await portFrom(supervisor));
    // From here on the supervisor does not keep this process from ending.
    supervisor.unref();
    supervisor.channel?.unref();
    return { url, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The database of a data directory: that of the live process that has the directory, else started as above. */
export async function joinOrStartEmbeddedPostgres({ dataDir }: EmbeddedPostgresOptions): Promise<EmbeddedDatabase> {
  const directory = made(dataDir);
  const deadline = Date.now() + JOIN_PATIENCE_MS;
  for (let holder = holderOf(directory); holder !== undefined; holder = holderOf(directory)) {
    const home = findPostgresHome(directory);
    const postmaster = home && runningPostmaster(home.data);
    if (postmaster?.ready) return { url: urlOf(directory, postmaster.port), stop: async () => {} };
    if (Date.now() > deadline) {
      throw new Error(`Process ${holder} has the data directory ${directory}, but its database does not become ready.`);
    }
    await delay(50);
  }
  return startEmbeddedPostgres({ dataDir });
}

function made(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  return realpathSync(dataDir);
}

/** `close` comes after the last message, which `exit` may overtake. */
async function portFrom(supervisor: ChildProcess): Promise<number> {
  const ended = once(supervisor, 'close').then(() => {
    throw new Error('The process that keeps PostgreSQL ended before its server was ready.');
  });
  const [report] = (await Promise.race([once(supervisor, 'message'), ended])) as [SupervisorReport];
  if ('error' in report) throw new Error(report.error);
  return report.port;
}

function urlOf(dataDir: string, port: number): string {
  const home = findPostgresHome(dataDir);
  if (!home) throw new Error(`There is no database in ${dataDir}.`);
  return `postgres://postgres:${readFileSync(home.password, 'utf8').trim()}@127.0.0.1:${port}/emails`;
}

async function stop(supervisor: ChildProcess, dataDir: string): Promise<void> {
  if (supervisor.exitCode === null && supervisor.signalCode === null) {
    const ended = once(supervisor, 'exit');
    supervisor.ref();
    if (supervisor.connected) supervisor.disconnect();
    await ended;
  }
  // Should someone have killed the supervisor, its server is still there.
  const home = findPostgresHome(dataDir);
  if (home) await stopPostmaster(home.data);
}
