import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { openPostgresCluster } from './postgres-cluster.js';
import { findPostgresHome } from './postgres-home.js';
import { startServer } from './postgres-server.js';
import { forgetStrangerInPostmasterFile, postmasterEnded, stopPostmaster } from './postmaster.js';

/** The supervisor's message to its host, sent once. */
export type SupervisorReport = { port: number } | { error: string };

/** Time for the supervisor of a killed host to stop its server. The supervisor of a live host is never stopped. */
const PATIENCE_MS = 5_000;
const FAST_SHUTDOWN_MS = 10_000;

/**
 * The process between a host and its PostgreSQL server. It has a separate session, so that Ctrl-C in the host's
 * terminal reaches neither it nor the server. It reacts only to the channel to its host: when that closes, on request
 * or because the host ended in any way, it stops the server and ends.
 */
const dataDir = process.argv[2] ?? '';
/** The port that clients know, for the restart of a lost server. */
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

/** The host holds the lock of the directory, so a server that still runs there is orphaned. */
async function evictPredecessor(): Promise<void> {
  const home = findPostgresHome(dataDir);
  if (!home) return;
  if (!(await postmasterEnded(home.data, known === undefined ? PATIENCE_MS : 0))) await stopPostmaster(home.data);
  forgetStrangerInPostmasterFile(home.data);
}

function stop(): void {
  if (server?.exitCode !== null || server.signalCode !== null) {
    // Nothing has to be saved yet: end at once, with all programs of this process group.
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
