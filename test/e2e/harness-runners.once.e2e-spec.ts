import { readFileSync } from 'node:fs';
import { until } from '../support/basics/wait-for.js';
import { isAmong, startRunner } from '../support/hosts/runner.js';
import { findRedisServer } from '../support/servers/redis-server.mjs';

const QUEUE = findRedisServer() ? 'redis' : 'postgres';

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
