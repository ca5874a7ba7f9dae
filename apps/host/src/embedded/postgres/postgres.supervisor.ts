import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { openPostgresCluster } from './postgres-cluster.js';
import { findPostgresHome } from './postgres-home.js';
import { startServer } from './postgres-server.js';
import { forgetStrangerInPostmasterFile, postmasterGone, stopPostmaster } from './postmaster.js';

/** What the supervisor tells its host, once. */
export type SupervisorReport = { port: number } | { error: string };

/** How long a killed host's supervisor, which is stopping its server, is left alone. Nobody stops that of a live host. */
const PATIENCE_MS = 5_000;
const FAST_SHUTDOWN_MS = 10_000;

/**
 * The process between a host and its PostgreSQL server. It lives in a session of its own, so that Ctrl-C in the host's
 * terminal reaches neither it nor the server, and obeys nothing but the channel to its host: when that closes, because
 * the host asked or because it is gone in whatever way, the server is stopped and the supervisor ends with it.
 */
const dataDir = process.argv[2] ?? '';
/** The port on which clients know the server, when it is started in place of one that was lost. */
const known = process.argv[3] === undefined ? undefined : Number(process.argv[3]);
let server: ChildProcess | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', stop);
if (!process.connected) stop();

try {
  await evictPredecessor();
  const cluster = await openPostgresCluster(dataDir);
  const port = await startServer(cluster, join(dataDir, 'postgres.log'), known, (spawned) => {
    server = spawned;
  });
  server?.once('exit', () => process.exit());
  report({ port });
} catch (error) {
  report({ error: error instanceof Error ? error.message : String(error) }, () => process.disconnect());
}

/** The host holds the lock of the directory, so a server that still runs there belongs to nobody. */
async function evictPredecessor(): Promise<void> {
  const home = findPostgresHome(dataDir);
  if (!home) return;
  if (!(await postmasterGone(home.data, known === undefined ? PATIENCE_MS : 0))) await stopPostmaster(home.data);
  forgetStrangerInPostmasterFile(home.data);
}

function stop(): void {
  if (server?.exitCode !== null || server.signalCode !== null) {
    // Nothing is worth keeping yet: end at once, with all programs started in this process group.
    process.kill(-process.pid, 'SIGKILL');
    return;
  }
  server.once('exit', () => process.exit());
  server.kill('SIGINT');
  setTimeout(() => server?.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
}

function report(what: SupervisorReport, sent?: () => void): void {
  if (process.connected) process.send?.(what, undefined, undefined, sent);
}
