import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';
import { nobodyLeftIn, processesOf } from '../support/reading/processes.js';

const SERVER = 'postgres -D ';
const SUPERVISOR = 'postgres.supervisor.js';
/** Time until the host gives up on a server that does not start. Milliseconds. */
const GIVING_UP = 120_000;

let host: RunningHost;

beforeAll(async () => {
  host = await startHost({ services: 'none' });
});

function kill(programs: readonly string[]): void {
  const running = [...processesOf(host.dataDir)];
  const pids = programs.map((program) => running.find(([, commandLine]) => commandLine.includes(program))?.[0]);
  expect(pids).not.toContain(undefined);
  for (const pid of pids) killIfThere(pid as number);
}

/** A supervisor may end by itself between the death of its server and this. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const restarts = () => host.output.match(/accepts connections again/g)?.length ?? 0;

async function lastEvent(id: string): Promise<unknown> {
  return (await host.request('GET', `/emails/${id}`)).body.last_event;
}

async function untilDelivered(ids: readonly string[]): Promise<void> {
  for (const id of ids) await until(async () => (await lastEvent(id)) === 'delivered', { what: `the end of ${id}` });
}

/** Posts one email after the other; a 200 means accepted. */
function postOn() {
  const accepted: string[] = [];
  let goesOn = true;
  const posted = (async () => {
    for (let n = 0; goesOn; n++) {
      // A refusal or no answer: a caller would retry.
      await post(host, `to${n}@to.test`).then(
        (id) => accepted.push(id),
        () => delay(50),
      );
    }
  })();
  const end = () => {
    goesOn = false;
    return posted;
  };
  return { accepted, end };
}

describe('a host that loses its embedded PostgreSQL', () => {
  it.each([
    ['server', [SERVER]],
    ['supervisor', [SUPERVISOR]],
    ['server with its supervisor', [SERVER, SUPERVISOR]],
  ])('as its %s was killed starts it again, and delivers all that it accepted', async (_, programs) => {
    const before = restarts();
    const { pid } = host;
    const { accepted, end } = postOn();
    await until(() => accepted.length >= 10);
    kill(programs);
    await until(() => restarts() > before, { what: 'the server to be there again' });
    const until20 = accepted.length + 10;
    await until(() => accepted.length >= until20, { what: 'emails to be accepted again' });
    await end();
    await untilDelivered(accepted);
    expect(host.pid).toBe(pid);
    expect(host.output).toContain('The embedded PostgreSQL ended unexpectedly.');
  });

  it('that cannot be restarted ends with the reason; the next start delivers accepted emails', async () => {
    const settings = join(host.dataDir, 'postgres', 'data', 'postgresql.auto.conf');
    const id = await post(host, 'later@to.test', { scheduled_at: new Date(Date.now() + 5_000).toISOString() });
    writeFileSync(settings, "shared_preload_libraries = 'no_such_library'\n");
    kill([SERVER]);
    await until(() => !isRunning(host.pid), { what: 'the end of the host', timeout: GIVING_UP });
    expect(await host.stop()).toBe(1);
    expect(host.output).toMatch(/Stopping, because the embedded PostgreSQL ended.*no_such_library/s);
    await nobodyLeftIn(host.dataDir);
    rmSync(settings);
    await host.start();
    await untilDelivered([id]);
  });
});

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}
