import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../world/world.js';
import { gate, holdInSession } from './held.js';
import { startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const LOCKED = 'l3';
/** A lease lasts 8 s, a statement 15. Milliseconds. */
const PAST_A_LEASE = 10_000;
const TABLES = [
  'deliveries',
  'attempts',
  'emails',
  'events',
  'idempotency_keys',
  'attachments',
  'attachment_contents',
] as const;
/** As of a migration that builds an index, and of one that changes the table (PostgreSQL 18, section 13.3.1). */
const MODES = ['SHARE ROW EXCLUSIVE', 'ACCESS EXCLUSIVE'] as const;

/** A foreign session locks a table for longer than a lease, while emails are accepted and sent. */
export const lockedTables: Scenario = {
  name: 'locked tables',
  about: 'PostgreSQL away or locked',
  minutes: 0.4,
  rows: [{ id: LOCKED, fault: 'a table locked by a stranger for longer than a lease' }],

  async run(world, { factor }) {
    const workers = [await world.worker(), await world.worker()];
    await Promise.all([world.api, ...workers].map((slot) => slot.start()));
    const all = TABLES.flatMap((table) => MODES.map((mode) => [table, mode] as const));
    const share = factor > 1 ? 1 : (2 * factor) / all.length;
    for (const [table, mode] of world.random.some(all, share)) {
      await lockTable(world, table, mode);
      if (!(await world.settle())) world.complaints.push(`Emails that waited for ${mode} of ${table} did not end.`);
    }
  },
};

async function lockTable(world: World, table: string, mode: string): Promise<void> {
  const { opened, open } = gate();
  await holdInSession(
    world,
    Array.from({ length: 5 }, () => ({ row: LOCKED })),
    opened,
  );
  const load = startLoad(world, () => ({ row: LOCKED, ...(world.random.chance(0.3) && { attachment: 'same' }) }), 150);
  await delay(500);
  const stranger = await world.stranger(table);
  await stranger.run(`LOCK TABLE nestjs_emails.${table} IN ${mode} MODE`);
  await delay(world.random.int(0, 1_000));
  open();
  await delay(PAST_A_LEASE);
  await stranger.release();
  world.hit(LOCKED);
  await load.end();
}
