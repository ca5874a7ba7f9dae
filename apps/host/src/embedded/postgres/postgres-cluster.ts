import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresBinaries } from './postgres-binaries.js';
import { openPostgresHome, type PostgresHome } from './postgres-home.js';
import type { ServerUser } from './server-user.js';

const run = promisify(execFile);

export interface PostgresCluster {
  home: PostgresHome;
  /** The program `postgres`. */
  server: string;
  /** User, directory and environment of PostgreSQL's programs, without the caller's locale and `PG…` variables. */
  runAs: Partial<ServerUser> & { cwd: string; env: Record<string, string> };
}

/** The cluster of a data directory, with the database `emails`; created if it does not exist. */
export async function openPostgresCluster(dataDir: string): Promise<PostgresCluster> {
  const [home, user] = await openPostgresHome(dataDir);
  const binaries = await postgresBinaries(user);
  const runAs = { ...user, cwd: home.directory, env: { HOME: home.directory, LC_ALL: 'C' } };
  const cluster = { home, server: join(binaries, 'postgres'), runAs };
  if (!existsSync(home.data)) await initialise(cluster, join(binaries, 'initdb'));
  return cluster;
}

/** The cluster is moved to its final path only when it is complete, so that an interrupted start can be repeated. */
async function initialise({ home, server, runAs }: PostgresCluster, initdb: string): Promise<void> {
  const unfinished = join(home.directory, 'unfinished');
  rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });

  rmSync(home.password, { force: true });
  writeFileSync(home.password, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  if (runAs.uid !== undefined && runAs.gid !== undefined) chownSync(home.password, runAs.uid, runAs.gid);

  const access = ['--username=postgres', `--pwfile=${home.password}`, '--auth=scram-sha-256'];
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await run(initdb, [`--pgdata=${unfinished}`, ...access, ...locale], runAs);

  const singleUser = run(server, ['--single', '-D', unfinished, '-c', 'exit_on_error=on', 'postgres'], runAs);
  singleUser.child.stdin?.end('CREATE DATABASE emails;\n');
  await singleUser;
  renameSync(unfinished, home.data);
}
