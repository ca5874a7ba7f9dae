import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { holderOf, lockDataDir } from './postgres/data-dir-lock.js';
import type { SupervisorReport } from './postgres/postgres.supervisor.js';
import { findPostgresHome } from './postgres/postgres-home.js';
import { runningPostmaster, stopPostmaster } from './postgres/postmaster.js';

/** Told of a server that ended though nobody stopped it, as when the kernel runs out of memory. */
export interface DatabaseWatcher {
  /** It is being started again, on the same port. */
  lost(): void;
  /** It takes connections again. */
  restored(): void;
  /** It is not started any more. */
  gaveUp(reason: string): void;
}

export interface EmbeddedPostgresOptions {
  /** Where the database is kept; made when it does not exist. */
  dataDir: string;
  /** Default: a server that is lost stays so. */
  watcher?: DatabaseWatcher;
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
/** How often a server may be lost within which time. Something ends it again and again then. */
const MOST_LOSSES = 5;
const LOSSES_MS = 600_000;

/**
 * Starts the database of a data directory. It ends with `stop()`, and with this process, however that ends.
 *
 * @throws Error when another live process has the directory, or when the server does not start
 */
export async function startEmbeddedPostgres({ dataDir, watcher }: EmbeddedPostgresOptions): Promise<EmbeddedDatabase> {
  const directory = made(dataDir);
  const unlock = lockDataDir(directory);
  const server = new SupervisedServer(directory, watcher);
  const end = (): Promise<void> => server.stop().finally(unlock);
  try {
    return { url: urlOf(directory, await server.start()), stop: end };
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

/** A server under a supervisor, which ends when either does. With a watcher, both are started again then. */
class SupervisedServer {
  private supervisor: ChildProcess | undefined;
  /** Resolves when no start is under way. */
  private settled: Promise<unknown> = Promise.resolve();
  private readonly losses: number[] = [];
  private isStopping = false;

  constructor(
    private readonly directory: string,
    private readonly watcher: DatabaseWatcher | undefined,
  ) {}

  /**
   * Resolves with the port on which the server takes connections.
   *
   * @param known the port on which it was before
   */
  start(known?: number): Promise<number> {
    // No pipe of ours is handed on: whoever reads our output sees it end when we do.
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];
    const args = known === undefined ? [this.directory] : [this.directory, String(known)];
    const supervisor = fork(SUPERVISOR, args, { detached: true, stdio, execArgv: [] });
    this.supervisor = supervisor;
    const started = portFrom(supervisor).then((port) => {
      // From here on the supervisor does not keep this process from ending.
      supervisor.unref();
      supervisor.channel?.unref();
      if (this.watcher) this.watch(supervisor, port, this.watcher);
      return port;
    });
    this.settled = started.catch(() => {});
    return started;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    // A start that is under way ends with its supervisor, or is the last.
    await Promise.all([this.supervisor && ended(this.supervisor), this.settled]);
    // Should someone have killed the supervisor, its server is still there.
    const home = findPostgresHome(this.directory);
    if (home) await stopPostmaster(home.data);
  }

  private watch(supervisor: ChildProcess, port: number, watcher: DatabaseWatcher): void {
    const restore = () => void this.restore(port, watcher);
    if (hasEnded(supervisor)) restore();
    else supervisor.once('exit', restore);
  }

  private async restore(port: number, watcher: DatabaseWatcher): Promise<void> {
    if (this.isStopping) return;
    watcher.lost();
    const now = Date.now();
    this.losses.push(now);
    if (this.losses.filter((at) => now - at < LOSSES_MS).length > MOST_LOSSES) {
      watcher.gaveUp(`It ended ${MOST_LOSSES + 1} times within ${LOSSES_MS / 60_000} minutes.`);
      return;
    }
    try {
      await this.start(port);
      if (!this.isStopping) watcher.restored();
    } catch (error) {
      if (!this.isStopping) watcher.gaveUp(error instanceof Error ? error.message : String(error));
    }
  }
}

function made(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  return realpathSync(dataDir);
}

/**
 * No message comes after `disconnect`, whichever side it is of; `exit` may overtake the last one, and `close` does not come
 * where this side was the first.
 */
async function portFrom(supervisor: ChildProcess): Promise<number> {
  const ended = once(supervisor, 'disconnect').then(() => {
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

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function ended(supervisor: ChildProcess): Promise<void> {
  if (hasEnded(supervisor)) return;
  const exit = once(supervisor, 'exit');
  supervisor.ref();
  if (supervisor.connected) supervisor.disconnect();
  await exit;
}
