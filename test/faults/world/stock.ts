import { randomUUID } from 'node:crypto';
import { BODY_CANARY, type Mail, recipientOf, senderOf } from './draft.js';
import type { Stranger } from './stranger.js';
import type { World } from './world.js';

/** $1: JSON array of emails, $2: their first event. They are due at once. */
const STOCK = `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(id uuid, tag text, "from" text, "to" text)
),
account AS (SELECT id::text AS id FROM nestjs_emails.accounts LIMIT 1),
made AS (
  INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
    reply_to_mailboxes, subject, html, text, headers, tags, created_at)
  SELECT input.id, account.id, '<' || input.id || '@stock.test>', "from", ARRAY["to"], '{}', '{}', '{}',
    'Fault test ' || tag, NULL, '${BODY_CANARY} ' || tag, '[]', '[]', now()
  FROM input, account
),
owed AS (
  INSERT INTO nestjs_emails.deliveries (email_id, last_event, due_at, recipients)
  SELECT id, $2, now(), json_build_array(json_build_object('address', "to", 'status', 'pending')) FROM input
),
keyed AS (
  INSERT INTO nestjs_emails.idempotency_keys (account_id, key, request_hash, email_id, expires_at)
  SELECT account.id, tag, '', input.id, now() + interval '1 day' FROM input, account
)
INSERT INTO nestjs_emails.events (email_id, type) SELECT id, $2 FROM input`;

const STEP = 5_000;

interface Stocked {
  mail: Mail;
  id: string;
}

/**
 * Emails in PostgreSQL as if a client had sent them, written in SQL: many in a short time. The queue has no jobs for
 * them. Resolves with their ids.
 */
export async function stock(world: World, row: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const step = drafts(world, row, Math.min(STEP, count - ids.length));
    await world.pool.query(STOCK, [inputOf(step), 'queued']);
    await world.client.note(step);
    ids.push(...step.map(({ id }) => id));
  }
  return ids;
}

/**
 * The same in a foreign transaction, with an event for webhooks. Resolves with a function to call after the commit:
 * from then on the emails count as accepted.
 */
export async function importBy(
  stranger: Stranger,
  world: World,
  row: string,
  count: number,
): Promise<() => Promise<void>> {
  const stocked = drafts(world, row, count);
  await stranger.run(STOCK, [inputOf(stocked), 'scheduled']);
  for (const { mail, id } of stocked) world.know(id, mail.tag);
  return () => world.client.note(stocked);
}

function drafts(world: World, row: string, count: number): Stocked[] {
  return Array.from({ length: count }, () => ({ mail: world.draft({ row, atMost: 1 }), id: randomUUID() }));
}

function inputOf(stocked: readonly Stocked[]): string {
  return JSON.stringify(
    stocked.map(({ mail: { tag }, id }) => ({ id, tag, from: senderOf(tag), to: recipientOf(tag) })),
  );
}
