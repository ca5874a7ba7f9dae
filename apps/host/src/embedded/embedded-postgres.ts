import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { holderOf, lockDataDir } from './postgres/data-dir-lock.js';
import type { SupervisorReport } from './postgres/postgres.supervisor.js';
import { findPostgresHome } from './postgres/postgres-home.js';
import { runningPostmaster, stopPostmaster } from './postgres/postmaster.js';

/** Called when the server ended unexpectedly, for example when the kernel runs out of memory. */
export interface DatabaseWatcher {
  /** The server is restarting on the same port. */
  lost(): void;
  /** The server accepts connections again. */
  restored(): void;
  /** The server will not be restarted. */
  gaveUp(reason: string): void;
}

export interface EmbeddedPostgresOptions {
  /** Directory of the database, created if it does not exist. */
  dataDir: string;
  /** Default: a lost server is not restarted. */
  watcher?: DatabaseWatcher;
}

/** A PostgreSQL server on loopback with the database `emails`. */
export interface EmbeddedDatabase {
  /** `postgres://user:password@127.0.0.1:port/emails`; the port differs from start to start. */
  url: string;
  /** Stops the server and waits for its end. Does nothing if the server belongs to another process. */
  stop(): Promise<void>;
}

const SUPERVISOR = fileURLToPath(new URL('./postgres/postgres.supervisor.js', import.meta.url));
const JOIN_PATIENCE_MS = 30_000;
/** Limit of losses within a period, after which the cause is permanent. */
const MAX_LOSSES = 5;
const LOSSES_MS = 600_000;

/**
 * Starts the database of a data directory. It ends with `stop()`, and with this process in every case.
 *
 * @throws Error when another live process uses the directory, or when the server does not start
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

/** The database of a data directory: that of the live process that uses the directory, else started as above. */
export async function joinOrStartEmbeddedPostgres({ dataDir }: EmbeddedPostgresOptions): Promise<EmbeddedDatabase> {
  const directory = made(dataDir);
  const deadline = Date.now() + JOIN_PATIENCE_MS;
  for (let holder = holderOf(directory); holder !== undefined; holder = holderOf(directory)) {
    const home = findPostgresHome(directory);
    const postmaster = home && runningPostmaster(home.data);
    if (postmaster?.ready) return { url: urlOf(directory, postmaster.port), stop: async () => {} };
    if (Date.now() > deadline) {
      throw new Error(
        `Process ${holder} uses the data directory ${directory}, but its database does not become ready.`,
      );
    }
    await delay(50);
  }
  return startEmbeddedPostgres({ dataDir });
}

/** A server with its supervisor, which end together. With a watcher, both are restarted then. */
class SupervisedServer {
  private supervisor: ChildProcess | undefined;
  /** Resolves when no start is in progress. */
  private settled: Promise<unknown> = Promise.resolve();
  private readonly losses: number[] = [];
  private isStopping = false;

  constructor(
    private readonly directory: string,
    private readonly watcher: DatabaseWatcher | undefined,
  ) {}

  /**
   * Resolves with the port of the ready server.
   *
   * @param known its previous port
   */
  start(known?: number): Promise<number> {
    // It inherits no pipe, so that readers of our output see the end when this process ends.
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];
    const args = known === undefined ? [this.directory] : [this.directory, String(known)];
    const supervisor = fork(SUPERVISOR, args, { detached: true, stdio, execArgv: [] });
    this.supervisor = supervisor;
    const started = portFrom(supervisor).then((port) => {
      // From here on the supervisor does not keep this process alive.
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
    // A start in progress ends with its supervisor, or is the last one.
    await Promise.all([this.supervisor && ended(this.supervisor), this.settled]);
    // The server may outlive a killed supervisor.
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
    if (this.losses.filter((at) => now - at < LOSSES_MS).length > MAX_LOSSES) {
      watcher.gaveUp(`It ended ${MAX_LOSSES + 1} times within ${LOSSES_MS / 60_000} minutes.`);
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
 * No message arrives after `disconnect` of either side. `exit` may overtake the last message, and `close` is not
 * emitted if this side disconnected first.
 */
async function portFrom(supervisor: ChildProcess): Promise<number> {
  const ended = once(supervisor, 'disconnect').then(() => {
    throw new Error('The supervisor of PostgreSQL ended before its server was ready.');
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
