import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresService } from '../world/postgres-service.js';
import { restore } from '../world/restore.js';
import type { World } from '../world/world.js';
import { startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const RESTORED = 'rd1';
const FAULT = 'a dump restored into a cluster with lower transaction ids';
/** Scheduled emails become due within this range: some before the dump, most after it. Milliseconds. */
const WAITING = { least: 500, most: 8_000 };

/**
 * Kills worker and API while deliveries, webhooks and scheduled emails are pending, and copies all rows into another
 * cluster, whose transaction ids are lower. New processes continue there.
 */
export const restoredDump: Scenario = {
  name: 'restored dump',
  about: 'PostgreSQL away or locked',
  minutes: 0.5,
  webhooks: true,
  rows: [
    { id: RESTORED, fault: FAULT },
    { id: RESTORED, fault: FAULT, webhooks: true },
  ],

  async run(world) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    await world.endpoints.create('first');
    const load = startLoad(world, () => draftOf(world), 20);
    await delay(1_000);
    await world.endpoints.network.refuse();
    await world.endpoints.create('second');
    await delay(500);
    await world.kill(worker);
    // The events of these emails stay in the outbox.
    await delay(500);
    await load.end();
    await world.kill(world.api);
    world.noteOutage();
    await move(world);
    await world.endpoints.endLeases();
    await world.endpoints.network.restore();
    world.endpoints.noteBlow();
    world.hit(RESTORED);
    await Promise.all([world.api.start(), worker.start()]);
    const after = startLoad(world, () => draftOf(world), 20);
    await delay(1_000);
    await after.end();
  },
};

function draftOf({ random }: World) {
  return { row: RESTORED, ...(random.chance(0.4) && { scheduledIn: random.int(WAITING.least, WAITING.most) }) };
}

async function move(world: World): Promise<void> {
  const { postgres, folder } = world.options;
  const other = await PostgresService.start(join(folder, 'restored'));
  const database = await other.createDatabase();
  await restore(postgres.url(world.database), other.url(database));
  await world.moveTo(other, database);
}
