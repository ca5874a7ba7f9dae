import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../../support/servers/proxy/tcp-proxy.js';
import type { World } from '../world/world.js';
import { strikeLoad } from './load.js';
import type { Scenario } from './scenario.js';

const STOPPED = 'p1';
const NETWORK = 'p2';

const NETWORK_FAULTS: readonly Fault[] = [
  { kind: 'delay', by: 300 },
  { kind: 'reset' },
  { kind: 'halfClose' },
  { kind: 'cut', after: 3_000 },
  { kind: 'blackHole' },
];

/** PostgreSQL, the source of truth, fails under load: at once, without a clean shutdown, or by a network fault. */
export const lostPostgres: Scenario = {
  name: 'lost PostgreSQL',
  about: 'PostgreSQL away or locked',
  minutes: 0.8,
  ownPostgres: true,
  rows: [
    { id: STOPPED, fault: 'PostgreSQL stopped at once and restarted' },
    { id: NETWORK, fault: 'network to PostgreSQL: slow, reset, half-closed, cut, silent' },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    for (let round = 0; round < 3 * factor; round++) await strikeLoad(world, STOPPED, () => restart(world));
    // The next kind of fault must not hit emails of this one.
    if (!(await world.settle())) return;
    for (let round = 0; round < factor; round++) {
      for (const fault of world.random.some(NETWORK_FAULTS, factor))
        await strikeLoad(world, NETWORK, () => disturb(world, fault));
    }
  },
};

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
