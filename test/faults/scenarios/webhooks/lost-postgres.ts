import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../../../support/servers/proxy/tcp-proxy.js';
import type { World } from '../../world/world.js';
import { startLoad } from '../load.js';
import type { Scenario } from '../scenario.js';

const STOPPED = 'wp1';
const NETWORK = 'wp2';
const FAULTS: readonly Fault[] = [
  { kind: 'reset' },
  { kind: 'halfClose' },
  { kind: 'cut', after: 3_000 },
  { kind: 'blackHole' },
];

/** PostgreSQL fails during the delivery of webhooks. */
export const webhooksWithoutPostgres: Scenario = {
  name: 'webhooks, lost PostgreSQL',
  about: 'webhooks',
  minutes: 0.8,
  only: 'postgres',
  webhooks: true,
  ownPostgres: true,
  rows: [
    { id: STOPPED, fault: 'PostgreSQL stopped at once and restarted', webhooks: true },
    { id: NETWORK, fault: 'network to PostgreSQL: reset, half-closed, cut, silent', webhooks: true },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    await world.endpoints.create('all');
    for (let round = 0; round < 2 * factor; round++) await struck(world, STOPPED, () => restart(world));
    for (let round = 0; round < factor; round++) {
      for (const fault of world.random.some(FAULTS, factor)) await struck(world, NETWORK, () => disturb(world, fault));
    }
  },
};

async function struck(world: World, row: string, fault: () => Promise<void>): Promise<void> {
  const load = startLoad(world, () => ({ row }), 30);
  await delay(world.random.int(500, 1_000));
  world.endpoints.noteBlow();
  await fault();
  world.hit(row);
  await delay(200);
  await load.end();
}

async function restart(world: World): Promise<void> {
  const { postgres } = world.options;
  await postgres.stopAtOnce();
  await delay(world.random.int(100, 1_000));
  await postgres.startAgain();
  await world.reconnect();
}

async function disturb({ slots }: World, fault: Fault): Promise<void> {
  for (const { postgres } of slots) postgres.impose(fault);
  await delay(1_500);
  for (const { postgres } of slots) postgres.lift();
}
