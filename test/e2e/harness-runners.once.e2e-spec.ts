import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterFile } from '../support/basics/cleanup.js';
import { PATIENCE } from '../support/basics/patience.mjs';
import { makeTempFolder } from '../support/basics/temp-folder.mjs';
import { until } from '../support/basics/wait-for.js';
import { HostProcess } from '../support/hosts/host-process.js';
import { isAmong, startRunner } from '../support/hosts/runner.js';
import { findRedisServer } from '../support/servers/redis-server.mjs';

const QUEUE = findRedisServer() ? 'redis' : 'postgres';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs jest with our reporter on two test files, one of which does this in a test. `patience`: with its workers' end. */
async function runJest(code: string, patience: number): Promise<{ code: number | null; output: string }> {
  const folder = makeTempFolder('emails-test-jest-');
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const reporters = ['default', join(ROOT, 'test/support/jest/left-open-reporter.mjs')];
  const config = { testEnvironment: 'node', maxWorkers: 2, workerGracefulExitTimeout: patience, reporters };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ jest: config }));
  writeFileSync(join(folder, 'one.test.js'), `it('passes', () => { ${code} });`);
  writeFileSync(join(folder, 'other.test.js'), "it('passes', () => {});");
  const args = ['--experimental-vm-modules', join(ROOT, 'node_modules/jest/bin/jest.js'), '--ci'];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: folder };
  const jest = new HostProcess(spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  afterFile(() => (jest.running ? jest.stop('SIGKILL') : undefined));
  return { code: await jest.exited, output: jest.output };
}

/** True if it is stopped by SIGSTOP. */
function isStopped(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('T') ?? false;
  } catch {
    return false;
  }
}

describe('an interrupted runner', () => {
  it('leaves nothing of a fault behind, not even a stopped worker', async () => {
    const faults = ['--import', './test/support/typescript.mjs', 'test/faults/main.ts'];
    const { runner, others } = startRunner(...faults, '--only', 'frozen worker', '--queue', QUEUE);
    await until(() => !runner.running || [...others().keys()].some(isStopped), { what: 'a worker that stands still' });
    expect(runner.output).toMatch(/frozen worker .*: begins/);
    for (const started of [
      /dist\/main\.js/,
      /postgres/,
      ...(QUEUE === 'redis' ? [/redis-server|valkey-server/] : []),
    ]) {
      expect(isAmong(others(), started)).toBe(true);
    }
    expect(await runner.stop('SIGTERM')).toBe(1);
    expect(runner.output).toContain('Given up: SIGTERM.');
    await until(() => others().size === 0, { what: 'the end of all that was started' });
  });
});

describe('a test run', () => {
  it('passes when nothing is left open', async () => {
    const { code, output } = await runJest('', PATIENCE);
    expect(output).toMatch(/Tests: +2 passed/);
    expect(output).not.toContain('left a handle open');
    expect(code).toBe(0);
  });

  it('fails when a test file leaves something open, though all tests passed', async () => {
    const { code, output } = await runJest('setInterval(() => {}, 1_000);', 1_000);
    expect(output).toMatch(/Tests: +2 passed/);
    expect(output).toContain('The run has failed: a test file left a handle open');
    expect(code).toBe(1);
  });
});
