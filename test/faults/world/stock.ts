import { randomUUID } from 'node:crypto';
import { BODY_CANARY, type Mail, recipientOf, senderOf } from './draft.js';
import type { World } from './world.js';

/** $1: JSON array of emails. They are due at once. */
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
  SELECT id, 'queued', now(), json_build_array(json_build_object('address', "to", 'status', 'pending')) FROM input
),
keyed AS (
  INSERT INTO nestjs_emails.idempotency_keys (account_id, key, request_hash, email_id, expires_at)
  SELECT account.id, tag, '', input.id, now() + interval '1 day' FROM input, account
)
INSERT INTO nestjs_emails.events (email_id, type) SELECT id, 'queued' FROM input`;

const STEP = 5_000;

/**
 * Emails in PostgreSQL as if a client had sent them, written in SQL: many in a short time. The queue knows nothing of them.
 * Resolves with their ids.
 */
export async function stock(world: World, row: string, count: number): Promise<string[]> {
  const stocked: { mail: Mail; id: string }[] = [];
  while (stocked.length < count) {
    const step = Array.from({ length: Math.min(STEP, count - stocked.length) }, () => ({
      mail: world.draft({ row, atMost: 1 }),
      id: randomUUID(),
    }));
    const input = step.map(({ mail: { tag }, id }) => ({ id, tag, from: senderOf(tag), to: recipientOf(tag) }));
    await world.pool.query(STOCK, [JSON.stringify(input)]);
    await world.client.note(step);
    stocked.push(...step);
  }
  return stocked.map(({ id }) => id);
}
