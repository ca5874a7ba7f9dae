import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterFile } from '../basics/cleanup.js';
import { makeTempFolder } from '../basics/temp-folder.mjs';
import { processesToldOf } from '../reading/processes.js';
import { HostProcess } from './host-process.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts a runner like `npm run`, with a separate temporary folder that identifies all its processes. */
export function startRunner(...args: string[]): { runner: HostProcess; others: () => Map<number, string> } {
  const folder = makeTempFolder('emails-test-runner-');
  afterFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const runner = new HostProcess(
    spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  afterFile(() => (runner.running ? runner.stop('SIGKILL') : undefined));
  const others = () => new Map([...processesToldOf(folder)].filter(([pid]) => pid !== runner.child.pid));
  return { runner, others };
}

/** True if one of the processes was started with such a command. */
export const isAmong = (processes: ReadonlyMap<number, string>, what: RegExp) =>
  [...processes.values()].some((line) => what.test(line));
