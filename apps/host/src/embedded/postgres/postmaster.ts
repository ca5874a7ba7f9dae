import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { liveProcess } from './live-process.js';

/** Content of a server's `postmaster.pid` (PostgreSQL: src/include/utils/pidfile.h). */
export interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

const POLL_MS = 20;

/** The last server of a cluster according to its file; it may have ended. */
export function readPostmaster(data: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch {
    return undefined;
  }
}

/** The server that runs on a cluster. The file alone proves nothing: another program may have its process id by now. */
export function runningPostmaster(data: string): Postmaster | undefined {
  const postmaster = readPostmaster(data);
  return postmaster && liveProcess(postmaster.pid)?.commandLine.includes(data) ? postmaster : undefined;
}

/** Waits until no server runs on a cluster; false if one still runs after `patience` milliseconds. */
export async function postmasterEnded(data: string, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience;
  while (runningPostmaster(data)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/**
 * Stops the server of a cluster, if it runs: first with a fast shutdown, then with an immediate one, after which the
 * next start recovers from the log.
 *
 * @throws Error when it survives both
 */
export async function stopPostmaster(data: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const pid = runningPostmaster(data)?.pid;
    if (pid === undefined) return;
    process.kill(pid, signal);
    if (await postmasterEnded(data, 5_000)) return;
  }
  throw new Error(
    `PostgreSQL (process ${readPostmaster(data)?.pid}) in ${data} does not stop. End it, then start again.`,
  );
}

/**
 * Removes a `postmaster.pid` whose process id now belongs to another program, as happens in containers: PostgreSQL
 * would mistake that for a server and refuse to start. PostgreSQL itself handles a file whose process has ended, with
 * more checks.
 */
export function forgetStrangerInPostmasterFile(data: string): void {
  const postmaster = readPostmaster(data);
  if (postmaster && liveProcess(postmaster.pid) && !runningPostmaster(data)) rmSync(join(data, 'postmaster.pid'));
}
