import { setTimeout as delay } from 'node:timers/promises';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import { startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const API = 'k1';
const WORKER = 'k2';
const BOTH = 'k3';
const KILLS = 6;

/** SIGKILL at any moment, under load. A killed process is started again at once. */
export const randomKills: Scenario = {
  name: 'random kills',
  about: 'worker killed or frozen',
  minutes: 1,
  traced: { crash: KILLS, busy: Number.POSITIVE_INFINITY },
  rows: [
    { id: API, fault: 'SIGKILL of the API at random', crash: true },
    { id: WORKER, fault: 'SIGKILL of the worker at random', crash: true },
    { id: BOTH, fault: 'SIGKILL of both at random', crash: true },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (const [row, victims] of [
      [API, [world.api]],
      [WORKER, [worker]],
      [BOTH, [world.api, worker]],
    ] as const) {
      const load = startLoad(world, () => ({ row }), 25);
      for (let round = 0; round < KILLS * factor; round++) {
        await delay(world.random.int(50, 900));
        await Promise.all(victims.map((victim) => crash(world, victim)));
        world.hit(row);
      }
      await load.end();
      // The first crash of the next process must not hit emails of the last one.
      if (!(await world.settle())) return;
    }
  },
};

async function crash(world: World, victim: Slot): Promise<void> {
  await delay(world.random.int(0, 20));
  // An unfinished email must wait for the next process.
  world.noteOutage();
  await world.kill(victim);
  await victim.start();
}
