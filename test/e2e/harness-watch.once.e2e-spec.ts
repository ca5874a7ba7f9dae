import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/basics/free-port.mjs';
import { eventually, until } from '../support/basics/wait-for.js';
import { type HostProcess, spawnProgram } from '../support/hosts/host-process.js';
import { expectHostsWithinBudget, type HostWatch } from '../support/hosts/host-watch.js';
import { BUDGET } from '../support/hosts/watch/budget.mjs';
import type { Finding } from '../support/hosts/watch/finding.js';
import { httpRequest } from '../support/requests/http-request.js';

const PROGRAM = fileURLToPath(new URL('../hosts/heavy-host.mjs', import.meta.url));

interface HeavyHost {
  started: HostProcess;
  ask(method: string, path: string): Promise<unknown>;
  /** Waits for a finding of this kind, and returns all findings. */
  finding(kind: Finding['kind']): Promise<Finding>;
}

async function startHeavyHost(): Promise<HeavyHost> {
  const port = await freePort();
  const started = spawnProgram(PROGRAM, [], { PORT: String(port) });
  const ask = async (method: string, path: string) =>
    (await httpRequest(`http://127.0.0.1:${port}`, method, path, { body: method === 'POST' ? {} : undefined })).body;
  await eventually(() => ask('GET', '/'));
  const finding = (kind: Finding['kind']) =>
    until(
      () =>
        watchOf(started)
          .take()
          .find((one) => one.kind === kind),
      { what: `a finding of the kind ${kind}` },
    );
  return { started, ask, finding };
}

function watchOf({ watch }: HostProcess): HostWatch {
  if (!watch) throw new Error('Nobody watches this host.');
  return watch;
}

describe('a watched host', () => {
  it('is found with the route that blocks the event loop, and fails the file', async () => {
    const { ask, started } = await startHeavyHost();
    // Repeated if the machine became faster between the tick and the measurement of its speed.
    const failure = await until(async () => {
      await ask('GET', '/spin');
      await ask('GET', '/');
      return failureOf(expectHostsWithinBudget);
    });
    expect(String(failure)).toMatch(
      /One tick .* used \d+ ms of processor time, limit \d+ ms\. In progress: .*GET \/spin \(1\)/,
    );
    expect(watchOf(started).take()).toEqual([]);
  });

  it('is not found for time that passes without use of the processor', async () => {
    const { ask, started } = await startHeavyHost();
    await ask('GET', '/sleep');
    started.child.kill('SIGSTOP');
    await delay(2 * BUDGET.tick);
    started.child.kill('SIGCONT');
    await ask('GET', '/');
    // The next finding follows all earlier ones.
    const found = await until(async () => {
      await ask('GET', '/spin');
      await ask('GET', '/');
      const findings = watchOf(started).take();
      return findings.length > 0 && findings;
    });
    for (const finding of found) expect(finding).toMatchObject({ kind: 'tick', during: { 'GET /spin': 1 } });
  });

  it('is found with the route of a template that multiplies', async () => {
    const { ask, finding } = await startHeavyHost();
    expect(await ask('POST', '/render')).toBe(String(90 * 4_900 * 2_001));
    const { amount, during } = await finding('peak');
    expect(amount).toBeGreaterThan(BUDGET.peak);
    expect(Object.keys(during)).toEqual(['POST /render']);
  });

  it('is found with the job that keeps 200 MB', async () => {
    const { ask, finding } = await startHeavyHost();
    await ask('POST', '/jobs');
    const { amount, during } = await finding('kept');
    expect(amount).toBeGreaterThan(190);
    expect(Object.keys(during)).toEqual(['keep']);
  });
});

function failureOf(check: () => void): unknown {
  try {
    return check();
  } catch (error) {
    return error;
  }
}
