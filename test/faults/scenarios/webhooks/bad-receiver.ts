import { setTimeout as delay } from 'node:timers/promises';
import type { Manners, Receipt } from '../../webhooks/receiver.js';
import type { World } from '../../world/world.js';
import { startLoad } from '../load.js';
import type { Scenario } from '../scenario.js';

const AWAY = 'wb1';
const SLOW = 'wb2';
const CUTS = 'wb3';
const LIES = 'wb4';

const MINUTE = 60_000;
/** An hour, so that all attempts of that time happen during the outage of the receiver. */
const HOUR = [6_000, 6 * MINUTE, 34 * MINUTE, 20 * MINUTE - 6_000];
/** Each of them takes the maximum time that a caller waits. */
const TRICKLES = 4;
/** Answers within the deadline. Milliseconds. */
const SLOWLY = 1_000;

/** A receiver that is unreachable, slow, breaks off, or sends wrong answers. */
export const badReceiver: Scenario = {
  name: 'webhooks, bad receiver',
  about: 'webhooks',
  minutes: 0.9,
  only: 'postgres',
  webhooks: true,
  rows: [
    { id: AWAY, fault: 'a receiver that is away for an hour', webhooks: true },
    { id: SLOW, fault: 'a receiver that takes a second for each answer', webhooks: true },
    { id: CUTS, fault: 'a receiver that resets, breaks off, is cut off, and trickles', webhooks: true },
    { id: LIES, fault: 'a receiver that says 200 and breaks off, 500, 302, garbage, and 10 MB', webhooks: true },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    await world.endpoints.create('all');
    for (let round = 0; round < factor; round++) {
      await away(world);
      await behaving(world, SLOW, () => ({ kind: 'hold', reached: () => {}, released: delay(SLOWLY) }));
      await cutting(world);
      await lying(world);
    }
  },
};

async function away(world: World): Promise<void> {
  const { endpoints } = world;
  await endpoints.network.refuse();
  const load = startLoad(world, () => ({ row: AWAY }), 50);
  await delay(1_000);
  await load.end();
  await world.settle();
  for (const part of HOUR) {
    await endpoints.tried();
    await endpoints.pass(part);
  }
  await endpoints.tried();
  await endpoints.network.restore();
  endpoints.noteBlow();
  world.hit(AWAY);
  await endpoints.settle();
}

async function behaving(world: World, row: string, manners: (receipt: Receipt) => Manners | undefined): Promise<void> {
  const { endpoints } = world;
  endpoints.receiver.behave(manners);
  const load = startLoad(world, () => ({ row }), 100);
  await delay(1_500);
  await load.end();
  await world.settle();
  await endpoints.tried();
  endpoints.receiver.behave();
  world.hit(row);
  await endpoints.settle();
}

/** Every second request ends in one of these ways; repeated requests are received correctly. */
async function cutting(world: World): Promise<void> {
  const { random, endpoints } = world;
  let trickles = TRICKLES;
  const cut = (): Manners => (random.chance(0.5) && trickles-- > 0 ? { kind: 'trickle' } : { kind: 'reset' });
  const told = behaving(world, CUTS, () => (random.chance(0.5) ? cut() : undefined));
  for (const fault of [{ kind: 'cut', after: 2_000 }, { kind: 'halfClose' }, { kind: 'reset' }] as const) {
    await delay(400);
    endpoints.network.impose(fault);
    await delay(100);
    endpoints.network.lift();
  }
  await told;
}

async function lying(world: World): Promise<void> {
  const { random } = world;
  const lies: readonly Manners[] = [
    { kind: 'short' },
    { kind: 'garbage' },
    { kind: 'flood' },
    { kind: 'say', status: 500 },
    { kind: 'say', status: 302 },
    { kind: 'say', status: 404 },
  ];
  await behaving(world, LIES, () => (random.chance(0.5) ? random.pick(lies) : undefined));
}
