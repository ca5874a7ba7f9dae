import { setTimeout as delay } from 'node:timers/promises';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';
import { type Holding, holdAll } from './worker-points.js';

/** When a worker listens, the sweep of its start may still hand over emails of the last worker. */
const START_SWEEP = 100;

const ODD: readonly Holding[] = [
  { row: 'w3', point: 'after RCPT' },
  { row: 'w4', point: 'inside DATA' },
  { row: 'w6', point: 'before close' },
  { row: 'w2', point: 'after lease' },
];

const EVEN: readonly Holding[] = [
  { row: 'w5', point: 'after dot' },
  { row: 'w7', point: 'after close' },
  { row: 'w1', point: 'before lease' },
];

/**
 * Repeatedly kills the worker at exact points: several emails at a time, each at its own point. The next worker starts
 * at once and must find the pending emails by itself.
 */
export const workerFailpoints: Scenario = {
  name: 'worker failpoints',
  about: 'worker killed or frozen',
  minutes: 0.9,
  bothWays: true,
  traced: { crash: 2, busy: 2 },
  rows: [
    { id: 'w1', fault: 'after a job was taken, before the lease', failpoint: true, crash: true },
    { id: 'w2', fault: 'after the lease', failpoint: true, crash: true },
    { id: 'w3', fault: 'after RCPT', failpoint: true, crash: true },
    { id: 'w4', fault: 'inside DATA', failpoint: true, crash: true },
    { id: 'w5', fault: 'after the final dot, before 250', failpoint: true, crash: true },
    { id: 'w6', fault: 'after 250, before our commit', failpoint: true, crash: true },
    { id: 'w7', fault: 'after our commit, before the job is acknowledged', failpoint: true, crash: true },
  ],

  async run(world, { hits }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < hits; round++) {
      await crash(world, worker, ODD);
      await crash(world, worker, EVEN);
    }
  },
};

async function crash(world: World, worker: Slot, holdings: readonly Holding[]): Promise<void> {
  await delay(START_SWEEP);
  await world.recovered();
  const tags = await holdAll(world, worker, holdings);
  world.noteBlowTo(tags);
  await world.kill(worker);
  for (const { row } of holdings) world.hit(row);
  await worker.start();
}
