/** Of who hands over: `outb` in ASCII. */
const HANDING_OVER = 0x6f75_7462;

/** For how long a lock is waited for, and a subscriber that waits or does nothing keeps the transaction. Milliseconds. */
export const BOUND = (
  patience: number,
) => `SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '${patience}ms';
SET LOCAL idle_in_transaction_session_timeout = '${patience + 5_000}ms'`;

/** $1: subscriber. Whether this transaction is the one that hands over to it, until its end. */
export const TAKE_TURN = `SELECT pg_try_advisory_xact_lock(hashtextextended($1, ${HANDING_OVER})) AS mine`;

/** $1: subscriber. */
export const FORGET = 'DELETE FROM nestjs_emails.event_subscriptions WHERE subscriber = $1';

/** Beyond every number. */
const NONE = '9223372036854775807';
/** Of what nobody has decided about, by an index. */
const UNDECIDED = 'subscriber IS NULL AND put_off_until IS NULL';
const IS_READY = 'subscriber = $1 AND put_off_until IS NULL';
const IS_PUT_OFF = 'subscriber = $1 AND put_off_until IS NOT NULL';
/** Its time has come, or is further away than anything is put off for: a clock that was ahead wrote it. */
const IS_DUE = "(put_off_until <= now() OR put_off_until > now() + interval '2 hours')";
/** The first in its time that is due, by the ends of an index. */
const FIRST_DUE = `(
  (SELECT id, email_id FROM nestjs_emails.event_outbox WHERE subscriber = $1 AND put_off_until <= now()
    ORDER BY put_off_until, event_id LIMIT 1)
  UNION ALL
  (SELECT id, email_id FROM nestjs_emails.event_outbox
    WHERE subscriber = $1 AND put_off_until > now() + interval '2 hours' ORDER BY put_off_until DESC, event_id DESC LIMIT 1)
  LIMIT 1)`;

/** $1: subscriber, $2: how many at most. */
export const DISCARD = `
WITH gone AS (
  DELETE FROM nestjs_emails.event_outbox WHERE id = ANY(ARRAY(
    (SELECT id FROM nestjs_emails.event_outbox WHERE ${IS_READY} ORDER BY event_id LIMIT $2)
    UNION ALL (SELECT id FROM nestjs_emails.event_outbox WHERE ${IS_PUT_OFF} ORDER BY put_off_until LIMIT $2))) RETURNING 1
)
SELECT count(*)::integer AS count FROM gone`;

/** $1: subscriber. What there is to do, each found by the end of an index. */
export const LOOK = `
SELECT EXISTS (SELECT FROM nestjs_emails.event_subscriptions WHERE subscriber = $1) AS subscribed,
  (SELECT min(event_id) FROM nestjs_emails.event_outbox WHERE ${UNDECIDED}) IS NOT NULL AS undecided,
  (SELECT min(event_id) FROM nestjs_emails.event_outbox WHERE ${IS_READY}) IS NOT NULL AS ready,
  EXISTS (SELECT FROM ${FIRST_DUE} AS first) AS due`;

/** Names of those that subscribe. */
export const SUBSCRIBERS = 'SELECT DISTINCT subscriber FROM nestjs_emails.event_subscriptions';

/**
 * $1: how many at most. Of events whose transaction did not see the newest subscriptions, each goes to those that were
 * asked for before its commit. Gives how many there were.
 */
export const DISTRIBUTE = `
WITH taken AS (
  DELETE FROM nestjs_emails.event_outbox WHERE id = ANY(ARRAY(
    SELECT id FROM nestjs_emails.event_outbox WHERE ${UNDECIDED} ORDER BY event_id LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING *
),
given AS (
  INSERT INTO nestjs_emails.event_outbox (subscription_id, subscriber, account_id, event_id, email_id, type, data, occurred_at)
  SELECT s.id, s.subscriber, t.account_id, t.event_id, t.email_id, t.type, t.data, t.occurred_at
  FROM taken t JOIN nestjs_emails.event_subscriptions s
    ON coalesce(s.account_id, t.account_id) = t.account_id AND (s.types IS NULL OR t.type = ANY(s.types))
  WHERE NOT pg_visible_in_snapshot(t.xid, s.since)
)
SELECT count(*)::integer AS count FROM taken`;

/** Bytes that are read of the outbox at once, and of the emails in it, unless the first event has more. */
const READ_BYTES = 1_000_000;
/** Bytes of what is told of an email `e`. */
const EMAIL_BYTES = [
  ...['to_mailboxes', 'cc_mailboxes', 'bcc_mailboxes', 'reply_to_mailboxes', 'headers', 'tags'].map(
    (of) => `e.${of}::text`,
  ),
  ...['e.from_mailbox', 'e.subject', 'e.message_id'],
]
  .map((text) => `octet_length(${text})`)
  .join(' + ');

/**
 * The first rows of the outbox whose bytes are not too many, `found` of them all. An email is counted, and read, with the
 * first of its rows (`of_email`): for a hundred recipients and ten subscriptions its headers come once and not a thousand
 * times.
 */
const bounded = (rows: string) => `
  SELECT * FROM (
    SELECT o.*, count(*) OVER ()::integer AS found, row_number() OVER in_order AS place,
      sum(coalesce(octet_length(o.data::text), 0) + coalesce(e.bytes, 0)) OVER in_order AS bytes
    FROM (SELECT o.*, row_number() OVER (PARTITION BY o.email_id ORDER BY o.event_id, o.id) AS of_email FROM (${rows}) AS o) AS o
    LEFT JOIN LATERAL (SELECT ${EMAIL_BYTES} AS bytes FROM nestjs_emails.emails e WHERE e.id = o.email_id LIMIT 1) AS e
      ON o.of_email = 1
    WINDOW in_order AS (ORDER BY o.event_id, o.id)
  ) AS o
  WHERE place = 1 OR bytes <= ${READ_BYTES}`;

/**
 * What is told of rows of the outbox. Where the event or its email is not there any more, or the subscription, `subscribed`
 * or `recorded` is false. `behind`: something of the email is put off. What is told of an email is in the first of its rows.
 */
const told = (rows: string) => `
SELECT o.id::text AS id, o.event_id::text AS "eventId", o.email_id AS "emailId", o.account_id AS "accountId", o.type, o.data,
  o.occurred_at AS "occurredAt", s.key, s.id IS NOT NULL AS subscribed, v.id IS NOT NULL AS recorded,
  v.recipient, v.reason, v.attempt, v.bounce, e.message_id AS "messageId", e.from_mailbox AS "from", e.to_mailboxes AS "to",
  e.cc_mailboxes AS cc, e.bcc_mailboxes AS bcc, e.reply_to_mailboxes AS "replyTo", e.subject, e.created_at AS "createdAt",
  e.scheduled_at AS "scheduledAt", e.tags, e.headers, e.topic_id AS "topicId", pg_current_xact_id()::text AS xid,
  o.put_off_until IS NULL AND EXISTS (
    SELECT FROM nestjs_emails.event_outbox p
    WHERE p.email_id = o.email_id AND p.subscriber = $1 AND p.put_off_until IS NOT NULL) AS behind, o.found
FROM (${bounded(rows)}) AS o
LEFT JOIN nestjs_emails.event_subscriptions s ON s.id = o.subscription_id
LEFT JOIN LATERAL (SELECT * FROM nestjs_emails.events v WHERE v.id = o.event_id LIMIT 1) AS v ON o.email_id IS NOT NULL
LEFT JOIN LATERAL (SELECT * FROM nestjs_emails.emails e WHERE e.id = o.email_id LIMIT 1) AS e ON o.of_email = 1
ORDER BY o.event_id, o.id`;

/** $1: subscriber, $2: how many at most. In their order, and none after one that nobody has decided about yet. */
export const READY = told(`
  SELECT * FROM nestjs_emails.event_outbox
  WHERE ${IS_READY} AND event_id < coalesce((SELECT min(event_id) FROM nestjs_emails.event_outbox WHERE ${UNDECIDED}), ${NONE})
  ORDER BY event_id, id LIMIT $2`);

/** $1: subscriber, $2: 1. The first event of an email whose time has come. */
export const DUE = told(`
  SELECT o.* FROM ${FIRST_DUE} AS first CROSS JOIN LATERAL (
    SELECT * FROM nestjs_emails.event_outbox p
    WHERE ${IS_PUT_OFF} AND p.email_id = first.email_id AND ${IS_DUE} ORDER BY event_id, id LIMIT $2) AS o
  WHERE first.email_id IS NOT NULL
  UNION ALL SELECT o.* FROM ${FIRST_DUE} AS first JOIN nestjs_emails.event_outbox o ON o.id = first.id
  WHERE first.email_id IS NULL`);

/** $1: ids, $2: the transaction in which they were read. Nothing is done in another one. */
export const DONE = `
WITH done AS (
  DELETE FROM nestjs_emails.event_outbox
  WHERE id = ANY($1::bigint[]) AND pg_current_xact_id_if_assigned()::text = $2
)
SELECT pg_current_xact_id_if_assigned()::text = $2 AS same`;

/** $1: ids of rows of emails of which something is put off. They come when that does. */
export const PUT_BEHIND = `
UPDATE nestjs_emails.event_outbox o SET put_off_until = (
  SELECT max(put_off_until) FROM nestjs_emails.event_outbox p
  WHERE p.email_id = o.email_id AND p.subscriber = o.subscriber AND p.put_off_until IS NOT NULL)
WHERE id = ANY($1::bigint[])`;

/** $1: row, $2, $3: the first wait and the longest, in milliseconds. With what is behind it already. */
export const PUT_OFF = `
WITH first AS (
  UPDATE nestjs_emails.event_outbox SET failures = failures + 1,
    put_off_until = now() + least($2::float8 * 2 ^ least(failures, 30), $3::float8) * interval '1 millisecond'
  WHERE id = $1::bigint RETURNING id, email_id, subscriber, put_off_until
)
UPDATE nestjs_emails.event_outbox o SET put_off_until = first.put_off_until FROM first
WHERE o.email_id = first.email_id AND o.subscriber = first.subscriber AND o.put_off_until IS NOT NULL AND o.id <> first.id`;

/** $1: how many are counted at most, of each subscriber. */
export const BACKLOG = `
SELECT subscriber, waiting.count, coalesce(extract(epoch FROM now() - waiting.oldest)::float8 * 1000, 0) AS "oldestAge"
FROM (${SUBSCRIBERS}) AS s, LATERAL (
  SELECT least(count(*), $1)::integer AS count, min(occurred_at) AS oldest FROM (
    (SELECT occurred_at FROM nestjs_emails.event_outbox o
      WHERE o.subscriber = s.subscriber AND put_off_until IS NULL ORDER BY event_id LIMIT $1)
    UNION ALL
    (SELECT occurred_at FROM nestjs_emails.event_outbox o
      WHERE o.subscriber = s.subscriber AND put_off_until IS NOT NULL ORDER BY put_off_until LIMIT $1)
  ) AS first
) AS waiting`;

/** Waits until every transaction has ended that hands something over, and keeps new ones from beginning. */
export const HOLD_UP = `
SELECT pg_advisory_xact_lock(hashtextextended(subscriber, ${HANDING_OVER})) FROM (${SUBSCRIBERS} ORDER BY 1) AS s`;

/** $1: account, $2: address key, $3: before when, $4: how many at most. What is no email, and has it somewhere. */
export const FIND_PERSON = `
SELECT id::text AS id, data FROM nestjs_emails.event_outbox o
WHERE account_id = $1 AND data IS NOT NULL AND strpos(lower(data::text), $2) > 0
  AND (occurred_at < $3 OR type LIKE '%.deleted')
ORDER BY o.id LIMIT $4`;

/** $1: JSON array of rows. */
export const REWRITE = `
UPDATE nestjs_emails.event_outbox o SET data = r.data FROM json_to_recordset($1::json) AS r(id bigint, data jsonb)
WHERE o.id = r.id`;
