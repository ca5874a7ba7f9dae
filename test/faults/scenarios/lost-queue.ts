import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../../support/servers/proxy/tcp-proxy.js';
import type { World } from '../world/world.js';
import { strikeLoad } from './load.js';
import type { Scenario } from './scenario.js';

const KILLED = 'q1';
const EMPTIED = 'q2';
const FULL = 'q3';
const NETWORK = 'q4';

const NETWORK_FAULTS: readonly Fault[] = [
  { kind: 'delay', by: 300 },
  { kind: 'reset' },
  { kind: 'halfClose' },
  { kind: 'cut', after: 2_000 },
  { kind: 'blackHole' },
];

/** Emails that become due during the fault of the queue, and emails that become due later. */
function draftFor(world: World, row: string) {
  const { random } = world;
  return () => ({ row, ...(random.chance(0.4) && { scheduledIn: random.int(200, 3_000) }) });
}

/** The queue forgets everything: waiting, scheduled and active jobs. */
export const emptiedQueue: Scenario = {
  name: 'emptied queue',
  about: 'queue lost',
  minutes: 0.2,
  rows: [{ id: EMPTIED, fault: 'the queue emptied (FLUSHALL)' }],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < 3 * factor; round++) {
      await struck(world, EMPTIED, () => world.jobs.empty());
    }
  },
};

/** Redis restarts empty, is full, or is hard to reach. */
export const lostRedis: Scenario = {
  name: 'lost Redis',
  about: 'queue lost',
  minutes: 0.4,
  only: 'redis',
  rows: [
    { id: KILLED, fault: 'Redis killed and started again empty' },
    { id: FULL, fault: 'Redis out of memory' },
    { id: NETWORK, fault: 'network to Redis: slow, reset, half-closed, cut, silent' },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < 3 * factor; round++) await struck(world, KILLED, () => restartRedis(world));
    for (let round = 0; round < factor; round++) await struck(world, FULL, () => fillRedis(world));
    // The next kind of fault must not hit emails of this one.
    if (!(await world.settle())) return;
    for (let round = 0; round < factor; round++) {
      for (const fault of world.random.some(NETWORK_FAULTS, factor)) {
        await struck(world, NETWORK, async () => {
          for (const { redis } of world.slots) redis?.impose(fault);
          await delay(1_500);
          for (const { redis } of world.slots) redis?.lift();
        });
      }
    }
  },
};

/** A stream of emails with the fault in the middle of it. */
async function struck(world: World, row: string, fault: () => Promise<void>): Promise<void> {
  await strikeLoad(world, row, fault, { draft: draftFor(world, row), rest: () => world.random.int(100, 500) });
}

async function restartRedis({ redis, random }: World): Promise<void> {
  await redis?.stop('SIGKILL');
  await delay(random.int(100, 1_000));
  await redis?.start();
}

async function fillRedis({ jobs }: World): Promise<void> {
  await jobs.limitMemory(1);
  await delay(2_000);
  await jobs.limitMemory(0);
}
