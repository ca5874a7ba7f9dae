import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterFile } from '../support/basics/cleanup.js';
import { makeTempFolder } from '../support/basics/temp-folder.mjs';
import { until } from '../support/basics/wait-for.js';
import { HostProcess } from '../support/hosts/host-process.js';
import { processesToldOf } from '../support/reading/processes.js';
import { findRedisServer } from '../support/servers/redis-server.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const QUEUE = findRedisServer() ? 'redis' : 'postgres';

/** Starts a runner as `npm run` does, with a temporary folder of its own, by which all that it starts is known. */
function run(...args: string[]): { runner: HostProcess; others: () => Map<number, string> } {
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

const has = (processes: ReadonlyMap<number, string>, what: RegExp) =>
  [...processes.values()].some((line) => what.test(line));

/** Whether SIGSTOP keeps it from doing anything. */
function isStopped(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('T') ?? false;
  } catch {
    return false;
  }
}

describe('a runner that is ended in the middle', () => {
  it('leaves nothing of a fault behind, not even a worker that stands still', async () => {
    const faults = ['--import', './test/support/typescript.mjs', 'test/faults/main.ts'];
    const { runner, others } = run(...faults, '--only', 'frozen worker', '--queue', QUEUE);
    await until(() => !runner.running || [...others().keys()].some(isStopped), { what: 'a worker that stands still' });
    expect(runner.output).toMatch(/frozen worker .*: begins/);
    for (const started of [
      /dist\/main\.js/,
      /postgres/,
      ...(QUEUE === 'redis' ? [/redis-server|valkey-server/] : []),
    ]) {
      expect(has(others(), started)).toBe(true);
    }
    expect(await runner.stop('SIGTERM')).toBe(1);
    expect(runner.output).toContain('Given up: SIGTERM.');
    await until(() => others().size === 0, { what: 'the end of all that was started' });
  });

  (QUEUE === 'redis' ? it : it.skip)('leaves nothing of a measurement behind', async () => {
    const bench = ['--import', './test/support/typescript.mjs', 'test/bench/bench.ts'];
    const { runner, others } = run(...bench, '--tiny', '--only', 'memory');
    await until(() => !runner.running || has(others(), /dist\/main\.js/), { what: 'a process of the host' });
    await runner.stop('SIGINT');
    await until(() => others().size === 0, { what: 'the end of all that was started' });
  });
});
