/** Of who hands over: `outb` in ASCII. */
const HANDING_OVER = 0x6f75_7462;

/** For how long a lock is waited for, and a transaction kept by a subscriber that does nothing. */
export const BOUND = (patience: number) =>
  `SET LOCAL lock_timeout = '2s'; SET LOCAL idle_in_transaction_session_timeout = '${patience}ms'`;

/** $1: subscriber. Whether this transaction is the one that hands over to it, until its end. */
export const TAKE_TURN = `SELECT pg_try_advisory_xact_lock(hashtextextended($1, ${HANDING_OVER})) AS mine`;

/** $1: subscriber. */
export const FORGET = 'DELETE FROM nestjs_emails.event_subscriptions WHERE subscriber = $1';

/** $1: subscriber, $2: how many at most. */
export const DISCARD = `
WITH gone AS (
  DELETE FROM nestjs_emails.event_outbox
  WHERE id IN (SELECT id FROM nestjs_emails.event_outbox WHERE subscriber = $1 ORDER BY id LIMIT $2) RETURNING 1
)
SELECT count(*)::integer AS count FROM gone`;

/** $1: subscriber. Whether it subscribes to anything, or anything waits for it. */
export const IS_USED = `
SELECT EXISTS (SELECT FROM nestjs_emails.event_subscriptions WHERE subscriber = $1)
  OR EXISTS (SELECT FROM nestjs_emails.event_outbox WHERE subscriber = $1)
  OR EXISTS (SELECT FROM nestjs_emails.event_outbox WHERE subscriber IS NULL) AS used`;

/** Names of those that subscribe. */
export const SUBSCRIBERS = 'SELECT DISTINCT subscriber FROM nestjs_emails.event_subscriptions';

/**
 * $1: how many at most. Of events whose transaction did not see the newest subscriptions, each goes to those that were
 * asked for before its commit.
 */
export const DISTRIBUTE = `
WITH taken AS (
  DELETE FROM nestjs_emails.event_outbox
  WHERE id IN (SELECT id FROM nestjs_emails.event_outbox WHERE subscriber IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING *
)
INSERT INTO nestjs_emails.event_outbox (subscription_id, subscriber, account_id, event_id, email_id, type, data, occurred_at)
SELECT s.id, s.subscriber, t.account_id, t.event_id, t.email_id, t.type, t.data, t.occurred_at
FROM taken t JOIN nestjs_emails.event_subscriptions s
  ON coalesce(s.account_id, t.account_id) = t.account_id AND (s.types IS NULL OR t.type = ANY(s.types))
WHERE NOT pg_visible_in_snapshot(t.xid, s.since)
ORDER BY t.id`;

/** Longer than anything is put off for: a clock that was ahead may have written more. */
const isPutOff = (row: string) =>
  `(${row}.put_off_until > now() AND ${row}.put_off_until < now() + interval '2 hours')`;

/**
 * $1: subscriber, $2: how many at most. In their order; of an email of which something is put off, nothing. Where the event
 * or its email is not there any more, the subscription, or the time has not come, there is no `subscribed`.
 */
export const NEXT = `
SELECT o.id::text AS id, o.event_id::text AS "eventId", o.email_id AS "emailId", o.account_id AS "accountId", o.type, o.data,
  o.occurred_at AS "occurredAt", s.key, s.id IS NOT NULL AS subscribed, v.id IS NOT NULL AS recorded,
  v.recipient, v.reason, v.attempt, v.bounce, e.message_id AS "messageId", e.from_mailbox AS "from", e.to_mailboxes AS "to",
  e.cc_mailboxes AS cc, e.bcc_mailboxes AS bcc, e.reply_to_mailboxes AS "replyTo", e.subject, e.created_at AS "createdAt",
  e.scheduled_at AS "scheduledAt", e.tags, e.headers, e.topic_id AS "topicId"
FROM (
  SELECT * FROM nestjs_emails.event_outbox o WHERE o.subscriber = $1 AND ${isPutOff('o')} IS NOT TRUE AND NOT EXISTS (
    SELECT FROM nestjs_emails.event_outbox p WHERE p.subscriber = $1 AND p.email_id = o.email_id AND ${isPutOff('p')})
  ORDER BY o.id LIMIT $2
) AS o
LEFT JOIN nestjs_emails.event_subscriptions s ON s.id = o.subscription_id
LEFT JOIN LATERAL (SELECT * FROM nestjs_emails.events v WHERE v.id = o.event_id LIMIT 1) AS v ON o.email_id IS NOT NULL
LEFT JOIN LATERAL (SELECT * FROM nestjs_emails.emails e WHERE e.id = o.email_id LIMIT 1) AS e ON v.id IS NOT NULL
ORDER BY o.id`;

/** $1: ids. */
export const DONE = 'DELETE FROM nestjs_emails.event_outbox WHERE id = ANY($1::bigint[])';

/** $1: ids of rows of one email, $2, $3: the first wait and the longest, in milliseconds. */
export const PUT_OFF = `
UPDATE nestjs_emails.event_outbox SET failures = failures + 1,
  put_off_until = now() + least($2::float8 * 2 ^ least(failures, 30), $3::float8) * interval '1 millisecond'
WHERE id = ANY($1::bigint[])`;

/** $1: how many are counted at most, of each subscriber. */
export const BACKLOG = `
SELECT subscriber, waiting.count, coalesce(extract(epoch FROM now() - waiting.oldest)::float8 * 1000, 0) AS "oldestAge"
FROM (${SUBSCRIBERS}) AS s, LATERAL (
  SELECT count(*)::integer AS count, min(occurred_at) AS oldest FROM (
    SELECT occurred_at FROM nestjs_emails.event_outbox o WHERE o.subscriber = s.subscriber ORDER BY id LIMIT $1
  ) AS first
) AS waiting`;
