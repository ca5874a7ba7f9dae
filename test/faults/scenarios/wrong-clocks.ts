import { until } from '../../support/basics/wait-for.js';
import { senderOf } from '../world/draft.js';
import type { Slot } from '../world/slot.js';
import type { World } from '../world/world.js';
import type { Scenario } from './scenario.js';

const HOUR = 3_600_000;
const YEAR = 365.25 * 24 * HOUR;
/** Milliseconds. */
const SHIFTS = [
  { id: 'c1', fault: 'a clock an hour ahead', shift: HOUR },
  { id: 'c2', fault: 'a clock an hour behind', shift: -HOUR },
  { id: 'c3', fault: 'a clock 60 years ahead', shift: 60 * YEAR },
  // No system sets its clock further back.
  { id: 'c4', fault: 'a clock of the first days of 1970', shift: 48 * HOUR - Date.now() },
];
const EMAILS = 10;

/** A finished email that is older than a month, so its content is deleted. */
const OLD = `
WITH made AS (
  INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
    reply_to_mailboxes, subject, text, headers, tags, created_at)
  SELECT uuidv7(interval '-60 days'), 'nobody', gen_random_uuid()::text, '', '{}', '{}', '{}', '{}', 'old', 'old', '[]',
    '[]', now() - interval '60 days'
  RETURNING id
)
INSERT INTO nestjs_emails.deliveries (email_id, last_event, recipients) SELECT id, 'delivered', '[]' FROM made`;
const OLD_IS_KEPT = `SELECT FROM nestjs_emails.emails WHERE subject = 'old' AND text IS NOT NULL`;
const FORGET_OLD = `DELETE FROM nestjs_emails.emails WHERE subject = 'old'`;
const NEW_AND_CLEARED = `
SELECT FROM nestjs_emails.emails e
WHERE text IS NULL OR NOT EXISTS (SELECT FROM nestjs_emails.events v WHERE v.email_id = e.id)
  OR NOT EXISTS (SELECT FROM nestjs_emails.attempts a WHERE a.email_id = e.id)`;

/** Processes whose clocks are wrong: the API, the worker, and both. PostgreSQL's is right. */
export const wrongClocks: Scenario = {
  name: 'wrong clocks',
  about: 'clocks',
  minutes: 0.6,
  environment: { RETENTION_CONTENT: '30d', RETENTION_EVENTS: '30d' },
  rows: SHIFTS.map(({ id, fault }) => ({ id, fault, crash: true })),

  async run(world, { factor }) {
    const worker = await world.worker();
    for (const { id, shift } of SHIFTS) {
      const clocks = [
        [shift, 0],
        [0, shift],
        [shift, shift],
      ] as const;
      for (const [api, delivery] of world.random.some(clocks, factor)) {
        await Promise.all([world.api.start(api), worker.start(delivery)]);
        await sendSome(world, id);
        await Promise.all([world.api.terminate(), worker.terminate()]);
        world.hit(id);
      }
      await keepHouse(world, worker, id, shift);
    }
  },
};

/** Some due now, some later, some deferred once. */
async function sendSome(world: World, row: string): Promise<void> {
  const { random, sink } = world;
  const mails = Array.from({ length: EMAILS }, () => {
    const kind = random.pick(['now', 'later', 'deferred'] as const);
    const mail = world.draft({ row, ...(kind === 'later' && { scheduledIn: random.int(500, 1_500) }) });
    const later = { stage: 'dot', action: { kind: 'say', line: '451 later' } } as const;
    if (kind === 'deferred') sink.plan(senderOf(mail.tag), [later]);
    return mail;
  });
  await Promise.all(mails.map((mail) => world.client.send(mail)));
  world.noteBlowTo(mails.map(({ tag }) => tag));
  const late = world.recoveryLimit;
  if (!(await world.settle(late))) world.complaints.push(`With wrong clocks (${row}), emails are late by ${late} ms.`);
}

/** A worker cleans up at its start. An email sent just now is not a month old, whatever the worker's clock shows. */
async function keepHouse(world: World, worker: Slot, id: string, shift: number): Promise<void> {
  const { pool } = world;
  await pool.query(OLD);
  await worker.start(shift);
  const isGone = async () => (await pool.query(OLD_IS_KEPT)).rowCount === 0;
  await until(isGone, { timeout: world.recoveryLimit }).catch(() => {
    world.complaints.push(`With wrong clocks (${id}), nothing is cleaned up.`);
  });
  await pool.query(FORGET_OLD);
  const { rowCount } = await pool.query(NEW_AND_CLEARED);
  if (rowCount !== 0) {
    world.complaints.push(`With wrong clocks (${id}), ${rowCount} new emails are treated as old ones.`);
  }
  await worker.terminate();
}
