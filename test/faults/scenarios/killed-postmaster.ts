import type { World } from '../world/world.js';
import { strikeLoad } from './load.js';
import type { Scenario } from './scenario.js';

const SERVER = 'e1';
const HOST = 'e2';

/**
 * Kills the postmaster of a host with an embedded PostgreSQL. The host restarts it, or the next start of the host does.
 */
export const killedPostmaster: Scenario = {
  name: 'killed postmaster',
  about: 'PostgreSQL away or locked',
  minutes: 0.6,
  embedded: true,
  rows: [
    { id: SERVER, fault: 'SIGKILL of the postmaster of the embedded PostgreSQL' },
    { id: HOST, fault: 'SIGKILL of the postmaster, and of its host, which is started again' },
  ],

  async run(world, { factor }) {
    await start(world);
    try {
      await killAgain(world, factor);
    } finally {
      // The evidence is in the host's database.
      if (!world.api.running) await start(world);
    }
  },
};

async function killAgain(world: World, factor: number): Promise<void> {
  // A host process ends after five losses; here each has two.
  for (let round = 0; round < factor; round++) {
    await struck(world, SERVER, () => killServer(world));
    await struck(world, HOST, () => killBoth(world));
  }
}

/** The server has another port after each start of the host. */
async function start(world: World): Promise<void> {
  await world.api.start();
  await world.reconnect();
}

async function struck(world: World, row: string, fault: () => Promise<void>): Promise<void> {
  await strikeLoad(world, row, fault);
  await world.settle();
}

async function killServer(world: World): Promise<void> {
  const { postgres } = world.options;
  await postgres.stopAtOnce();
  await postgres.startAgain();
  await world.reconnect();
  if (!world.api.running) world.complaints.push('The host ended with its PostgreSQL.');
}

async function killBoth(world: World): Promise<void> {
  await world.options.postgres.stopAtOnce();
  await world.kill(world.api);
  await start(world);
}
