import { setTimeout as delay } from 'node:timers/promises';
import { until, within } from '../../support/basics/wait-for.js';
import type { Mail } from '../world/draft.js';
import { type Stranger, waitingForStrangers } from '../world/stranger.js';
import type { World } from '../world/world.js';
import { gate, holdInSession } from './held.js';
import { type Load, startLoad } from './load.js';
import type { Scenario } from './scenario.js';

const LOCKED = 'l1';
const OTHER = 'l2';
/** A lease lasts 8 s. Milliseconds. */
const PAST_A_LEASE = 10_000;
/** Emails that stay on a connection, so that their leases are renewed. */
const HELD = 10;
/** Requests that need a locked content: one per connection to PostgreSQL. */
const WAITING = 20;
/** Due time of a scheduled email: later than the lock of its row. Milliseconds. */
const SOON = 2_500;

/** Finds one row of an email in each table. */
const ROWS: Record<string, string> = {
  deliveries: 'email_id = $1',
  emails: 'id = $1',
  attempts: 'email_id = $1 AND finished_at IS NULL',
  events: 'email_id = $1',
  idempotency_keys: 'email_id = $1',
  attachments: 'email_id = $1',
  attachment_contents: 'hash IN (SELECT content_hash FROM nestjs_emails.attachments WHERE email_id = $1)',
};
const OF_WAITING = ['deliveries', 'emails', 'events', 'idempotency_keys', 'attachments'];
const UNDER_WAY = ['deliveries', 'emails', 'attempts', 'events'];
/** Old enough that the next email with this content touches it again. */
const AGE_CONTENT = `UPDATE nestjs_emails.attachment_contents SET touched_at = now() - interval '2 hours'
  WHERE ${ROWS.attachment_contents}`;
const CLAIM = `INSERT INTO nestjs_emails.idempotency_keys (account_id, key, request_hash, email_id, expires_at)
  SELECT account_id, $1, 'of a stranger', gen_random_uuid(), now() + interval '1 day' FROM nestjs_emails.emails LIMIT 1`;

/**
 * Foreign sessions hold one row of each table for longer than a lease. Only the emails of these rows may be affected.
 */
export const lockedRows: Scenario = {
  name: 'locked rows',
  about: 'PostgreSQL away or locked',
  minutes: 0.4,
  rows: [
    { id: LOCKED, fault: 'one row of each table locked by a stranger for longer than a lease' },
    { id: OTHER, fault: 'the other emails' },
  ],

  async run(world, { factor }) {
    const workers = [await world.worker(), await world.worker()];
    await Promise.all([world.api, ...workers].map((slot) => slot.start()));
    for (let round = 0; round < factor; round++) await lockOneOfEach(world);
  },
};

async function lockOneOfEach(world: World): Promise<void> {
  const { opened, open } = gate();
  const held = await holdInSession(
    world,
    [...UNDER_WAY.map(() => ({ row: LOCKED })), ...Array.from({ length: HELD }, () => ({ row: OTHER, atMost: 1 }))],
    opened,
  );
  const strangers: Stranger[] = [];
  for (const [index, table] of UNDER_WAY.entries()) strangers.push(await lock(world, table, held[index]));
  for (const table of OF_WAITING) {
    const mail = world.draft({ row: LOCKED, scheduledIn: SOON, attachment: `waiting ${table}` });
    await world.client.send(mail);
    strangers.push(await lock(world, table, mail));
  }
  const { sent, stranger } = await lockContent(world);
  const { sent: claimed, stranger: claimant } = await claimKey(world);
  strangers.push(stranger, claimant);

  const load = startLoad(world, () => ({ row: OTHER, atMost: 1 }), 100);
  await delay(PAST_A_LEASE);
  await endOfLoad(world, load);
  open();
  await othersAreThrough(world);
  await Promise.all(strangers.map((one) => one.release()));
  await Promise.all([...sent, claimed]);
  await world.settle();
}

async function lock(world: World, table: string, mail: Mail | undefined): Promise<Stranger> {
  const stranger = await world.stranger(table);
  const [id] = world.idsOf(mail?.tag ?? '');
  const locked = await stranger.run(`SELECT 1 FROM nestjs_emails.${table} WHERE ${ROWS[table]} FOR UPDATE`, [id]);
  if (locked === 0) throw new Error(`There is no row of ${table} to lock.`);
  world.hit(LOCKED);
  return stranger;
}

/** Many requests need the same locked content at once. */
async function lockContent(world: World): Promise<{ stranger: Stranger; sent: Promise<unknown>[] }> {
  const draft = { row: LOCKED, attachment: `shared ${world.random.next()}` };
  const first = world.draft(draft);
  await world.client.send(first);
  await world.pool.query(AGE_CONTENT, [[...world.idsOf(first.tag)][0]]);
  const stranger = await lock(world, 'attachment_contents', first);
  return { stranger, sent: Array.from({ length: WAITING }, () => world.send(draft)) };
}

/** A key that an open transaction has claimed and not committed. */
async function claimKey(world: World): Promise<{ stranger: Stranger; sent: Promise<unknown> }> {
  const mail = world.draft({ row: LOCKED });
  const stranger = await world.stranger('a claim of an idempotency key');
  await stranger.run(CLAIM, [mail.tag]);
  world.hit(LOCKED);
  return { stranger, sent: world.client.send(mail) };
}

async function endOfLoad(world: World, load: Load): Promise<void> {
  const ended = load.end();
  await within(ended, world.recoveryLimit, 'A POST').catch(async () => {
    world.complaints.push(`POSTs of others wait for a locked row: ${await waitingForStrangers(world.pool)}.`);
  });
  // They are answered when the row is free again.
  ended.catch(() => {});
}

async function othersAreThrough(world: World): Promise<void> {
  const look = async () => (await world.owed(OTHER)) === 0;
  await until(look, { timeout: world.recoveryLimit, interval: 100 }).catch(async () => {
    world.complaints.push(`Emails of others wait for a locked row: ${await waitingForStrangers(world.pool)}.`);
  });
}
