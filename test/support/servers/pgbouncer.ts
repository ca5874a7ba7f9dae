import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterFile } from '../basics/cleanup.js';
import { freePort } from '../basics/free-port.mjs';
import { makeTempFolder } from '../basics/temp-folder.mjs';
import { eventually } from '../basics/wait-for.js';
import { fromTestRun } from '../jest/test-environment.js';

/** Connections to the server: fewer than the host opens, so that they are shared. */
const SERVER_CONNECTIONS = 4;

/**
 * A pgbouncer in transaction mode before the PostgreSQL server of this run. Returns the URL through it for the database
 * of another URL. It is stopped after the test file.
 */
export async function startPgbouncer(): Promise<(databaseUrl: string) => string> {
  const server = new URL(fromTestRun('TEST_DATABASE_URL'));
  const folder = makeTempFolder('emails-test-pgbouncer-');
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const login = `user=${server.username} password=${decodeURIComponent(server.password)}`;
  writeFileSync(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port || 5432} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 200
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
`,
  );
  chmodSync(file, 0o644);
  const child = spawn(
    fromTestRun('TEST_PGBOUNCER'),
    ['-q', ...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  afterFile(() => end(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended:\n${output}`);
    await connects(port);
  });
  return (databaseUrl) => {
    const url = new URL(databaseUrl);
    url.port = String(port);
    return url.href;
  };
}

async function connects(port: number): Promise<void> {
  const { connect } = await import('node:net');
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
