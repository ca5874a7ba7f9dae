import { PATIENCE } from '../../../support/basics/patience.mjs';
import { within } from '../../../support/basics/wait-for.js';
import type { Slot } from '../../world/slot.js';
import { isAttempted, isHandedOver, isServed } from '../../world/statements.js';
import type { World } from '../../world/world.js';
import { gate } from '../held.js';
import type { Scenario } from '../scenario.js';

const HANDING_OVER = 'wk1';
const SERVED = 'wk2';
const ASKED = 'wk3';
const ANSWERED = 'wk4';
const RECORDED = 'wk5';

/** Repeatedly kills the worker at exact points of a webhook. The next one must find the pending events. */
export const webhooksKilled: Scenario = {
  name: 'webhooks, killed',
  about: 'webhooks',
  minutes: 0.8,
  only: 'postgres',
  webhooks: true,
  rows: [
    {
      id: HANDING_OVER,
      fault: 'killed while events are handed over, before the commit',
      webhooks: true,
      failpoint: true,
    },
    { id: SERVED, fault: 'killed when an endpoint was leased, before the request', webhooks: true, failpoint: true },
    { id: ASKED, fault: 'killed after the request, before its answer', webhooks: true, failpoint: true },
    { id: ANSWERED, fault: 'killed after the answer, before the commit of its end', webhooks: true, failpoint: true },
    { id: RECORDED, fault: 'killed after the commit of its end', webhooks: true, failpoint: true },
  ],

  async run(world, { hits }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    await world.endpoints.create('all');
    for (let hit = 0; hit < hits; hit++) {
      await killServed(world, worker);
      await killAnswered(world, worker, ANSWERED, 'request');
      await killAnswered(world, worker, RECORDED, 'answer');
    }
  },
};

/**
 * The events of the first email are handed over and the endpoint is leased for them; those of the second are handed
 * over except for the commit.
 */
async function killServed(world: World, worker: Slot): Promise<void> {
  await world.endpoints.tried();
  const { postgres } = worker;
  const served = postgres.trap('answer', (exchange) => isServed(exchange) && exchange.rows.length > 0);
  await world.send({ row: SERVED });
  await within(served.sprung, PATIENCE, 'Waiting for the lease of an endpoint');
  const handed = postgres.trap('request', isHandedOver);
  await world.send({ row: HANDING_OVER });
  await within(handed.sprung, PATIENCE, 'Waiting for events to be handed over');
  await die(world, worker, [SERVED, HANDING_OVER]);
}

/** The requests of one email are never answered; those of the other are, and their end is recorded next. */
async function killAnswered(world: World, worker: Slot, row: string, moment: 'request' | 'answer'): Promise<void> {
  const { endpoints } = world;
  await endpoints.tried();
  const asked = world.draft({ row: ASKED });
  const answered = world.draft({ row });
  const arrived = gate();
  const reached = gate();
  const released = gate();
  endpoints.receiver.behave(({ email }) => {
    const tag = world.tagOf(email);
    if (tag === asked.tag) return { kind: 'hold', reached: arrived.open, released: new Promise<void>(() => {}) };
    return { kind: 'hold', reached: tag === answered.tag ? reached.open : () => {}, released: released.opened };
  });
  await Promise.all([world.client.send(asked), world.client.send(answered)]);
  await within(Promise.all([arrived.opened, reached.opened]), PATIENCE, 'Waiting for two webhooks');
  const { sprung } = worker.postgres.trap(moment, isAttempted);
  released.open();
  await within(sprung, PATIENCE, `Waiting for the end of a webhook of ${row}`);
  endpoints.receiver.behave();
  await die(world, worker, [ASKED, row]);
}

async function die(world: World, worker: Slot, rows: readonly string[]): Promise<void> {
  world.endpoints.noteBlow();
  await world.kill(worker);
  for (const row of rows) world.hit(row);
  await world.endpoints.endLeases();
  await worker.start();
}
