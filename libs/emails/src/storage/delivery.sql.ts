/*
 * Statements about emails that are known by their ids put `coalesce` around `due_at`: without it the planner sees that
 * only rows of the index `deliveries_due` can match, and reads the whole of it where its statistics come from a time when
 * nothing waited, which is most of the time. Statements that look for due emails compare `due_at` with `now()`, which
 * bounds what they read of that index; with `clock_timestamp()` they would read all that is scheduled too.
 */

/**
 * $1: email ids, $2: lease in milliseconds, $3: bytes of html and text up to which they are read.
 *
 * Leases what is due and tells of each asked id: the lease, or how long until it is due, or nothing (finished,
 * unknown, or being leased by another worker right now). An attempt that an earlier lease left open is closed here as
 * unknown: its worker died without seeing the end.
 */
export const LEASE = `
WITH due AS (
  SELECT email_id, last_event FROM nestjs_emails.deliveries
  WHERE email_id = ANY($1::uuid[]) AND coalesce(due_at, 'infinity') <= clock_timestamp()
  ORDER BY email_id FOR UPDATE SKIP LOCKED
),
leased AS (
  UPDATE nestjs_emails.deliveries d
  SET fence = fence + 1, due_at = clock_timestamp() + $2::float8 * interval '1 millisecond',
    last_event = CASE d.last_event WHEN 'scheduled' THEN 'queued' ELSE d.last_event END
  FROM due WHERE d.email_id = due.email_id
  RETURNING d.email_id, d.fence, d.attempts, d.recipients, due.last_event AS previous_event
),
abandoned AS (
  UPDATE nestjs_emails.attempts a SET finished_at = clock_timestamp(), unknown = true
  FROM leased l WHERE a.email_id = l.email_id AND a.finished_at IS NULL
  RETURNING a.email_id
),
started AS (
  INSERT INTO nestjs_emails.events (email_id, type)
  SELECT email_id, 'queued' FROM leased WHERE previous_event = 'scheduled'
)
SELECT asked.id, l.fence, l.attempts, l.recipients, l.previous_event AS "previousEvent",
  EXISTS (SELECT FROM abandoned WHERE abandoned.email_id = asked.id) AS "endUnknown",
  extract(epoch FROM d.due_at - clock_timestamp())::float8 * 1000 AS wait,
  e.account_id AS "accountId", e.message_id AS "messageId", e.from_mailbox AS "from", e.to_mailboxes AS "to",
  e.cc_mailboxes AS cc, e.reply_to_mailboxes AS "replyTo", e.subject, e.headers, e.topic_id AS "topicId",
  CASE WHEN s.content <= $3 THEN e.html END AS html, CASE WHEN s.content <= $3 THEN e.text END AS text,
  s.content AS "contentSize",
  greatest(e.scheduled_at, e.created_at) AS "date",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('filename', a.filename, 'contentType', a.content_type, 'contentId',
    a.content_id, 'contentHash', a.content_hash, 'size', a.size) ORDER BY a.position), '[]')
   FROM nestjs_emails.attachments a WHERE a.email_id = e.id) AS attachments
FROM unnest($1::uuid[]) AS asked(id)
LEFT JOIN leased l ON l.email_id = asked.id
LEFT JOIN nestjs_emails.emails e ON e.id = l.email_id
LEFT JOIN nestjs_emails.deliveries d ON d.email_id = asked.id,
LATERAL (SELECT coalesce(octet_length(e.html), 0) + coalesce(octet_length(e.text), 0) AS content) AS s`;

/** $1: email. */
export const CONTENT = 'SELECT html, text FROM nestjs_emails.emails WHERE id = $1';

/** $1: email ids, $2: fences. Resolves with the ids whose lease still holds; for the others nothing is written. */
export const OPEN_ATTEMPTS = `
INSERT INTO nestjs_emails.attempts (email_id, fence, started_at)
SELECT d.email_id, d.fence, clock_timestamp()
FROM unnest($1::uuid[], $2::integer[]) AS held(id, fence)
JOIN nestjs_emails.deliveries d ON d.email_id = held.id AND d.fence = held.fence
  AND coalesce(d.due_at, '-infinity') > clock_timestamp()
RETURNING email_id AS id`;

/** $1: email ids, $2: fences, $3: lease in milliseconds. Locks in the order of ids, as `CLOSE` does. */
export const EXTEND_LEASES = `
WITH locked AS MATERIALIZED (
  SELECT d.email_id FROM nestjs_emails.deliveries d
  JOIN unnest($1::uuid[], $2::integer[]) AS held(id, fence) ON d.email_id = held.id AND d.fence = held.fence
  WHERE coalesce(d.due_at, '-infinity') > '-infinity' ORDER BY d.email_id FOR UPDATE OF d
)
UPDATE nestjs_emails.deliveries d SET due_at = clock_timestamp() + $3::float8 * interval '1 millisecond'
FROM locked WHERE d.email_id = locked.email_id`;

/**
 * $1: JSON array of `LeaseEnd`. Closes the attempt and moves the delivery where the lease still holds; a worker that
 * outlived its lease changes nothing, nor does one that repeats itself because it never heard of its first success.
 * Resolves with the ids that moved. Locks in the order of ids, so that it cannot deadlock with another group or with a
 * renewal.
 */
export const CLOSE = `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(
    id uuid, fence integer, attempts integer, recipients jsonb, "lastEvent" text, "retryIn" float8, outcomes jsonb,
    "endUnknown" boolean, events jsonb)
),
locked AS MATERIALIZED (
  SELECT d.email_id AS id FROM nestjs_emails.deliveries d
  JOIN input ON d.email_id = input.id AND d.fence = input.fence
  WHERE coalesce(d.due_at, '-infinity') > '-infinity' AND NOT EXISTS (
    SELECT FROM nestjs_emails.attempts a
    WHERE a.email_id = input.id AND a.fence = input.fence AND a.finished_at IS NOT NULL)
  ORDER BY d.email_id FOR UPDATE OF d
),
moved AS (
  UPDATE nestjs_emails.deliveries d
  SET recipients = input.recipients, last_event = input."lastEvent", attempts = input.attempts,
    due_at = clock_timestamp() + input."retryIn" * interval '1 millisecond'
  FROM input JOIN locked USING (id) WHERE d.email_id = input.id
  RETURNING d.email_id AS id
),
closed AS (
  UPDATE nestjs_emails.attempts a
  SET finished_at = clock_timestamp(), outcomes = input.outcomes, unknown = input."endUnknown"
  FROM input JOIN moved USING (id) WHERE a.email_id = input.id AND a.fence = input.fence
),
recorded AS (
  INSERT INTO nestjs_emails.events (email_id, type, recipient, reason)
  SELECT input.id, e.type, e.recipient, e.reason
  FROM input JOIN moved USING (id), jsonb_to_recordset(input.events) AS e(type text, recipient text, reason text)
)
SELECT id FROM moved`;

/** $1: how many are counted at most. Due now and leased by nobody: while a worker has it, an email is due later. */
export const DUE = `
SELECT count(*)::integer AS count,
  coalesce(extract(epoch FROM now() - min(due_at))::float8 * 1000, 0) AS "oldestAge"
FROM (
  SELECT due_at FROM nestjs_emails.deliveries WHERE due_at <= now() ORDER BY due_at LIMIT $1
) AS due`;

/**
 * $1: milliseconds overdue, $2: milliseconds ahead, $3: how many at most. The longest overdue first. What fell due just
 * now is left out: its hint is on its way.
 */
export const OVERDUE = `
SELECT d.email_id AS "emailId", e.account_id AS "accountId", d.fence,
  greatest(extract(epoch FROM d.due_at - now())::float8 * 1000, 0) AS delay
FROM nestjs_emails.deliveries d JOIN nestjs_emails.emails e ON e.id = d.email_id
WHERE due_at <= now() + $2::float8 * interval '1 millisecond'
  AND (due_at <= now() - $1::float8 * interval '1 millisecond' OR due_at > now())
ORDER BY due_at LIMIT $3`;
