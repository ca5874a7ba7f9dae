import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Part } from './part.js';

/** In the root of the repository, ignored by git. */
export const LOGS = '.verify';
const GROUP = fileURLToPath(new URL('group.mjs', import.meta.url));
/** Time for a stopped part to end by itself: that of the mutations restores the sources and builds. Milliseconds. */
const GRACE = 60_000;

export const logOf = (part: Part) => join(LOGS, `${part.name}.log`);

/**
 * Runs the commands of a part until one fails, with their output in its log.
 *
 * @returns the reason of a failure or a stop; undefined when it passed
 */
export async function runPart(part: Part, root: string, stop: AbortSignal): Promise<string | undefined> {
  mkdirSync(join(root, LOGS), { recursive: true });
  const log = openSync(join(root, logOf(part)), 'w');
  const limit = AbortSignal.timeout(part.limit * 60_000);
  const path = part.node === undefined ? dirname(process.execPath) : join(root, part.node, 'bin');
  const env = {
    ...process.env,
    CI: 'true',
    TEST_WHOLE: String(!part.sampled),
    TEST_ALL_SUITES: 'true',
    // These variables would change the proof.
    TEST_GENERATION: undefined,
    BENCH_NODE_ARGS: undefined,
    PATH: `${path}${delimiter}${process.env.PATH}`,
  };
  try {
    for (const command of part.commands) {
      const failure = await runCommand(command, { cwd: root, env, log, end: AbortSignal.any([stop, limit]) });
      if (stop.aborted) return 'stopped';
      if (limit.aborted) return `not over after ${part.limit} minutes`;
      if (failure !== undefined) return failure;
    }
    return undefined;
  } finally {
    closeSync(log);
  }
}

interface Surroundings {
  cwd: string;
  env: NodeJS.ProcessEnv;
  log: number;
  end: AbortSignal;
}

/** Runs one command in a process group that is empty afterwards, even if this process is killed. */
async function runCommand(
  command: readonly string[],
  { cwd, env, log, end }: Surroundings,
): Promise<string | undefined> {
  // Its standard input ends when this process does.
  const child = spawn(process.execPath, [GROUP, ...command], { cwd, env, stdio: ['pipe', log, log], detached: true });
  const killGroup = () => kill(child.pid === undefined ? undefined : -child.pid, 'SIGKILL');
  let timer: NodeJS.Timeout | undefined;
  const askToEnd = () => {
    kill(child.pid, 'SIGTERM');
    timer = setTimeout(killGroup, GRACE);
  };
  end.addEventListener('abort', askToEnd);
  process.once('exit', killGroup);
  try {
    const [code, signal] = await once(child, 'exit');
    if (code === 0) return undefined;
    return code === null ? `ended by ${signal}` : `exit code ${code}`;
  } catch (error) {
    return `${command[0]} did not start: ${error instanceof Error ? error.message : error}`;
  } finally {
    clearTimeout(timer);
    end.removeEventListener('abort', askToEnd);
    process.off('exit', killGroup);
    killGroup();
  }
}

function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, signal);
  } catch {
    // The group has already ended.
  }
}
