import type { Place } from './stage.js';

const STEP = 100_000;
const TERMS = new URL('../../../libs/emails/dist/emails/storage/email-terms.js', import.meta.url).href;

const ACCOUNT = '(SELECT id::text FROM nestjs_emails.accounts LIMIT 1)';
/** One of this many differs from the rest: bounced, copied, tagged, of another sender, about a topic. */
export const ODD = 20_000;
export const TOPIC = '0198f0c1-0000-7000-8000-000000000000';

interface Hashes {
  termHash(text: string, account: string): string;
  accountHash(account: string): string;
}

/**
 * $1: number, $2: number of earlier ones. Each with its delivery, its attempt, two events, an occasional attachment,
 * and its search terms, words included.
 */
const fillStatement = ({ termHash, accountHash }: Hashes) => `
WITH made AS (
  INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
    reply_to_mailboxes, subject, html, text, headers, tags, topic_id, created_at)
  SELECT uuidv7(interval '-10 days' + n * interval '50 milliseconds'), ${ACCOUNT},
    '<' || gen_random_uuid() || '@shop.example>',
    CASE WHEN odd THEN 'news@other.example' ELSE 'Orders <orders@shop.example>' END,
    ARRAY['customer' || n || '@d.example'], CASE WHEN odd THEN ARRAY['copy@d.example'] ELSE '{}' END,
    CASE WHEN odd THEN ARRAY['hidden@d.example'] ELSE '{}' END, '{}',
    'Your order ' || n || ' is on its way', repeat('<p>It will be with you soon.</p>', 12),
    repeat('It will be with you soon. ', 12), '[]',
    CASE WHEN odd THEN '[{"name": "rare", "value": "yes"}]' ELSE '[{"name": "kind", "value": "order"}]' END::jsonb,
    CASE WHEN odd THEN '${TOPIC}'::uuid END,
    now() - interval '10 days' + n * interval '50 milliseconds'
  FROM generate_series($2::bigint + 1, $2::bigint + $1::bigint) AS n, LATERAL (SELECT n % ${ODD} = 1 AS odd) AS kind
  RETURNING *
),
owed AS (
  INSERT INTO nestjs_emails.deliveries (email_id, account, seq, last_event, due_at, fence, attempts, recipients)
  SELECT id, ${accountHash('account_id')}, seq, CASE WHEN topic_id IS NULL THEN 'sent' ELSE 'bounced' END, NULL, 1, 1,
    '[{"address": "customer@d.example", "status": "sent"}]'
  FROM made
),
findable AS (
  INSERT INTO nestjs_emails.email_terms (term, seq)
  SELECT ${termHash('term', 'account_id')}, seq FROM made, unnest(
    ARRAY['rcpt:' || to_mailboxes[1], 'tag:' || (tags->0->>'name'),
      'tag:' || (tags->0->>'name') || ':' || (tags->0->>'value')] ||
    CASE WHEN topic_id IS NULL THEN ARRAY['from:orders@shop.example', 'from:@shop.example'] ELSE
      ARRAY['from:news@other.example', 'from:@other.example', 'rcpt:copy@d.example', 'cc:copy@d.example',
        'rcpt:hidden@d.example', 'bcc:hidden@d.example', 'topic:' || topic_id] END || ARRAY(
      SELECT DISTINCT 'w:' || word
      FROM regexp_split_to_table(lower(concat_ws(' ', subject, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes)),
        '[^a-z0-9]+') AS word
      WHERE word <> '')) AS term
),
tried AS (
  INSERT INTO nestjs_emails.attempts (email_id, fence, started_at, finished_at, outcomes)
  SELECT id, 1, created_at, created_at, '[{"address": "customer@d.example", "outcome": "accepted"}]' FROM made
),
attached AS (
  INSERT INTO nestjs_emails.attachments (email_id, position, filename, content_type, content_hash, size)
  SELECT id, 1, 'a.txt', 'text/plain', md5(seq::text), 10 FROM made WHERE seq % 20 = 0
),
contained AS (
  INSERT INTO nestjs_emails.attachment_contents (hash, slice, content)
  SELECT md5(seq::text), 0, 'attachment' FROM made WHERE seq % 20 = 0
),
keyed AS (
  INSERT INTO nestjs_emails.idempotency_keys (account_id, key, request_hash, email_id, expires_at)
  SELECT ${ACCOUNT}, 'key ' || seq, md5(seq::text), id, now() + interval '1 day'
  FROM made WHERE seq % 10 = 0
)
INSERT INTO nestjs_emails.events (email_id, type, recipient, reason, occurred_at)
SELECT id, type, recipient, reason, created_at
FROM made, (VALUES ('queued', NULL, NULL), ('sent', 'customer@d.example', '250 taken')) AS e(type, recipient, reason)`;

/** Sent emails, generated in SQL, up to `count` of them. The account must exist: start the host once before. */
export async function fill(place: Place, count: number): Promise<void> {
  const [row] = await place.query<{ seq: string }>('SELECT coalesce(max(seq), 0) AS seq FROM nestjs_emails.emails');
  // Skips the checks of foreign keys.
  const fill = fillStatement(await import(TERMS));
  await place.query('SET session_replication_role = replica');
  for (let made = Number(row?.seq ?? 0); made < count; made += STEP) {
    await place.query(fill, [Math.min(STEP, count - made), made]);
  }
  await place.query('RESET session_replication_role');
  await place.query('VACUUM ANALYZE');
  await place.query('CHECKPOINT');
}
