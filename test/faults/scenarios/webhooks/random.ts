import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from '../../../support/basics/patience.mjs';
import { within } from '../../../support/basics/wait-for.js';
import type { Slot } from '../../world/slot.js';
import type { World } from '../../world/world.js';
import { gate } from '../held.js';
import { startLoad } from '../load.js';
import type { Scenario } from '../scenario.js';

const KILLS = 'wr1';
const FROZEN = 'wr2';
const ROUNDS = 6;

/**
 * SIGKILL of the API and of the worker at any moment, with two endpoints, of which one is created while emails are
 * sent.
 */
export const webhooksAtRandom: Scenario = {
  name: 'webhooks, random kills',
  about: 'webhooks',
  minutes: 0.5,
  only: 'postgres',
  webhooks: true,
  rows: [
    { id: KILLS, fault: 'SIGKILL of both at random, two endpoints', webhooks: true },
    { id: FROZEN, fault: 'SIGSTOP of a worker past its lease, then SIGCONT', webhooks: true },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    await world.endpoints.create('first');
    const load = startLoad(world, () => ({ row: KILLS }), 60);
    await delay(500);
    await world.endpoints.create('second');
    for (let round = 0; round < ROUNDS * factor; round++) {
      await delay(world.random.int(100, 1_500));
      const victims = world.random.pick([[worker], [worker], [world.api, worker]] as const);
      await Promise.all(victims.map((victim) => crash(world, victim)));
      world.hit(KILLS);
    }
    await load.end();
    await world.endpoints.settle();
    for (let round = 0; round < factor; round++) await freeze(world, worker);
  },
};

async function crash(world: World, victim: Slot): Promise<void> {
  world.endpoints.noteBlow();
  await world.kill(victim);
  await world.endpoints.endLeases();
  await victim.start();
}

/** Another worker has sent everything before the first one gets the answer to its request. */
async function freeze(world: World, frozen: Slot): Promise<void> {
  const { endpoints } = world;
  const other = await world.worker();
  const reached = gate();
  const released = gate();
  endpoints.receiver.behave(() => ({ kind: 'hold', reached: reached.open, released: released.opened }));
  await Promise.all([world.send({ row: FROZEN }), world.send({ row: FROZEN })]);
  await within(reached.opened, PATIENCE, 'Waiting for a webhook');
  await world.settle();
  frozen.freeze();
  endpoints.receiver.behave();
  await endpoints.endLeases();
  await other.start();
  await endpoints.settle();
  world.hit(FROZEN);
  frozen.thaw();
  released.open();
  // The worker must deliver again.
  await other.terminate();
  await world.send({ row: FROZEN });
  await endpoints.settle();
}
