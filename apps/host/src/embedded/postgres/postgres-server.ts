import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresCluster } from './postgres-cluster.js';
import { readPostmaster } from './postmaster.js';

const ATTEMPTS = 3;
/** Timeout of start attempts on a port that clients know. Remains of a killed server may take this long. */
const PATIENCE_MS = 30_000;
const POLL_MS = 20;
const LOG_LIMIT_BYTES = 1_000_000;

/** All other settings are PostgreSQL's defaults, including 100 connections, and can be changed with `ALTER SYSTEM`. */
const FIXED_SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'log_checkpoints=off',
  // Logs neither statements nor failing rows, because both may contain addresses.
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
];

/**
 * Starts a server on a cluster and waits until it accepts connections, on loopback only.
 *
 * @param log file to which the server's messages are appended
 * @param known its previous port. Default: any free port
 * @param onSpawn receives each process as soon as it exists. An attempt that ends early is repeated, because the free
 * port may be in use by then, and the remains of a killed predecessor may need a moment to disappear
 * @returns the port
 * @throws Error with the server's last messages
 */
export async function startServer(
  cluster: PostgresCluster,
  log: string,
  known: number | undefined,
  onSpawn: (server: ChildProcess) => void,
): Promise<number> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let attempt = 1; attempt <= ATTEMPTS || (known !== undefined && Date.now() < deadline); attempt += 1) {
    const port = known ?? (await freePort());
    const server = spawnServer(cluster, port, log);
    onSpawn(server);
    await once(server, 'spawn');
    if (await becomesReady(server, cluster.home.data)) return port;
    await delay(Math.min(attempt * 100, 1_000));
  }
  const lastWords = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  throw new Error(`PostgreSQL does not start in ${cluster.home.data}. The end of ${log}:\n${lastWords}`);
}

function spawnServer(cluster: PostgresCluster, port: number, log: string): ChildProcess {
  const settings = [`port=${port}`, ...FIXED_SETTINGS].flatMap((setting) => ['-c', setting]);
  const output = openLog(log);
  try {
    return spawn(cluster.server, ['-D', cluster.home.data, ...settings], {
      ...cluster.runAs,
      stdio: ['ignore', output, output],
    });
  } finally {
    closeSync(output);
  }
}

/** One previous file is kept. */
function openLog(log: string): number {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(log, `${log}.1`);
  return openSync(log, 'a', 0o600);
}

async function becomesReady(server: ChildProcess, data: string): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    const postmaster = readPostmaster(data);
    if (postmaster?.pid === server.pid && postmaster?.ready) return true;
    await delay(POLL_MS);
  }
  return false;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
