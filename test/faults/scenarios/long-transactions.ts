import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../../support/basics/wait-for.js';
import { importBy } from '../world/stock.js';
import type { Stranger } from '../world/stranger.js';
import type { World } from '../world/world.js';
import { startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const OTHER = 'lt1';
const IMPORTED = 'lt2';
const OTHERS_FAULT = 'emails while strangers keep transactions open for longer than a lease';
const IMPORTED_FAULT = 'emails that such a transaction has stored, with an endpoint that it does not see';
/** A lease lasts 8 s. Milliseconds. */
const PAST_A_LEASE = 10_000;
const IMPORTED_EMAILS = 10;
const LEVELS = ['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'] as const;

/**
 * Foreign sessions keep transactions open: a backup with an old snapshot, an idle writer, and at each isolation level
 * an import that stores emails. Nothing waits for them, and the emails of the imports are sent after their commits.
 */
export const longTransactions: Scenario = {
  name: 'long transactions',
  about: 'PostgreSQL away or locked',
  minutes: 0.5,
  webhooks: true,
  rows: [
    { id: OTHER, fault: OTHERS_FAULT },
    { id: IMPORTED, fault: IMPORTED_FAULT },
    { id: OTHER, fault: OTHERS_FAULT, webhooks: true },
    { id: IMPORTED, fault: IMPORTED_FAULT, webhooks: true },
  ],

  async run(world, { factor }) {
    const worker = await world.worker();
    await Promise.all([world.api.start(), worker.start()]);
    await world.endpoints.create('first');
    for (let round = 0; round < factor; round++) await keepOpen(world);
  },
};

async function keepOpen(world: World): Promise<void> {
  const backup = await open(world, 'a backup', 'REPEATABLE READ');
  const idle = await open(world, 'an idle writer', 'READ COMMITTED');
  await idle.run('SELECT pg_current_xact_id()');
  const importers = await Promise.all(LEVELS.map((level) => open(world, level, level)));
  // The snapshots of the imports do not include this endpoint.
  await world.endpoints.create(`newer-${world.endpoints.all.length}`);
  const imported = await Promise.all(importers.map((importer) => importBy(importer, world, IMPORTED, IMPORTED_EMAILS)));
  const load = startLoad(world, () => ({ row: OTHER, atMost: 1 }), 50);
  await delay(PAST_A_LEASE);
  await within(load.end(), world.recoveryLimit, 'A POST');
  await othersAreThrough(world);
  world.hit(OTHER);
  for (const importer of importers) await importer.commit();
  await Promise.all(imported.map((note) => note()));
  world.hit(IMPORTED);
  await world.settle();
  await world.endpoints.settle();
  await Promise.all([backup, idle].map((stranger) => stranger.release()));
}

/** Opens a transaction that has its snapshot already. */
async function open(world: World, name: string, level: string): Promise<Stranger> {
  const stranger = await world.stranger(name);
  await stranger.run(`SET TRANSACTION ISOLATION LEVEL ${level}`);
  await stranger.run('SELECT count(*) FROM nestjs_emails.emails');
  return stranger;
}

/** Waits for all other emails and their webhooks, while the transactions are still open. */
async function othersAreThrough(world: World): Promise<void> {
  const limit = world.recoveryLimit;
  if (!(await world.settle(limit))) world.complaints.push('Emails wait for a long transaction.');
  await within(world.endpoints.tried(), limit, 'Webhooks').catch(() => {
    world.complaints.push('Webhooks wait for a long transaction.');
  });
}
