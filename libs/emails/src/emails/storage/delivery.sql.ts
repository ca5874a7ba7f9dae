import { FIRST_STATE } from '../states/email-states.js';

/*
 * Statements about emails that are known by their ids put `coalesce` around `due_at`: without it the planner sees that
 * only rows of the index `deliveries_due` can match, and reads the whole of it where its statistics come from a time when
 * nothing waited, which is most of the time. Statements that look for due emails compare `due_at` with `now()`, which
 * bounds what they read of that index; with `clock_timestamp()` they would read all that is scheduled too.
 *
 * These statements are about many emails at once, and none of them may wait for a row that somebody else has locked: all
 * the others would wait with it. So each locks first whatever it is going to write, in the order of ids, and passes over
 * the emails of which anything is taken. That includes the rows of `emails`: an event or attempt that refers to one locks
 * it `FOR KEY SHARE` (its foreign key).
 */

const QUEUED = `'${FIRST_STATE.now}'`;
const SCHEDULED = `'${FIRST_STATE.later}'`;

/** Of the hash of a next hop. */
const HOP_SEED = 0x686f_7073;
const hopHash = (name: string) => `hashtextextended(${name}, ${HOP_SEED})`;

/** Since when an email has been due: one that waits for a next hop looks for that again and again meanwhile. */
const DUE_SINCE = 'CASE WHEN waits_since = fence THEN coalesce(waits_from, due_at) ELSE due_at END';

/** Whether a statement passes over what somebody else has locked, or waits for it: then it is about one email only. */
type Locked = 'SKIP LOCKED' | '';

/**
 * $1: email ids, $2: lease in milliseconds, $3: bytes of html and text up to which they are read.
 *
 * Leases what is due and tells of each asked id: the lease, or how long until it is due, or nothing (finished,
 * unknown, or in somebody's hands right now). An attempt that an earlier lease left open is closed here as unknown, and
 * counted: its worker died without seeing the end.
 *
 * Whoever changes an email otherwise than by a lease moves its fence too. Where that was committed while this statement
 * was about to lease it, what is read of the email may be older than that: it is told as if nothing was leased, and comes
 * back when the lease has run out.
 *
 * Due is what is due at `now()`, when the statement began. So whoever opened an attempt, and knew then that his lease
 * held, did so before this statement began to look: it sees that attempt.
 */
export const LEASE = `
WITH due AS MATERIALIZED (
  SELECT email_id, last_event, ${DUE_SINCE} AS since FROM nestjs_emails.deliveries
  WHERE email_id = ANY($1::uuid[]) AND coalesce(due_at, 'infinity') <= now()
  ORDER BY email_id FOR UPDATE SKIP LOCKED
),
startable AS MATERIALIZED (
  SELECT e.id FROM due JOIN nestjs_emails.emails e ON e.id = due.email_id
  WHERE due.last_event = ${SCHEDULED} FOR KEY SHARE OF e SKIP LOCKED
),
unended AS MATERIALIZED (
  SELECT a.email_id, a.fence FROM due JOIN nestjs_emails.attempts a USING (email_id) WHERE a.finished_at IS NULL
),
lost AS MATERIALIZED (
  SELECT a.email_id, a.fence FROM unended JOIN nestjs_emails.attempts a USING (email_id, fence)
  WHERE a.finished_at IS NULL FOR UPDATE OF a SKIP LOCKED
),
leased AS (
  UPDATE nestjs_emails.deliveries d
  SET fence = fence + 1, due_at = clock_timestamp() + $2::float8 * interval '1 millisecond',
    attempts = d.attempts + (SELECT count(*) FROM lost WHERE lost.email_id = d.email_id),
    last_event = CASE d.last_event WHEN ${SCHEDULED} THEN ${QUEUED} ELSE d.last_event END,
    waits_for = NULL, waits_since = NULL, waits_from = NULL
  FROM due WHERE d.email_id = due.email_id
    AND (due.last_event <> ${SCHEDULED} OR due.email_id IN (SELECT id FROM startable))
    AND due.email_id NOT IN (SELECT email_id FROM unended WHERE (email_id, fence) NOT IN (SELECT email_id, fence FROM lost))
  RETURNING d.email_id, d.fence, d.attempts, d.recipients, due.last_event AS previous_event, due.since
),
abandoned AS (
  UPDATE nestjs_emails.attempts a SET finished_at = clock_timestamp(), unknown = true
  FROM leased l JOIN lost USING (email_id) WHERE a.email_id = lost.email_id AND a.fence = lost.fence
),
started AS (
  INSERT INTO nestjs_emails.events (email_id, type)
  SELECT email_id, ${QUEUED} FROM leased WHERE previous_event = ${SCHEDULED}
  RETURNING email_id, id AS event_id, occurred_at
)
SELECT asked.id, l.fence, l.attempts, l.recipients, s.event_id::text AS "startedId", s.occurred_at AS "startedAt",
  asked.id IN (SELECT email_id FROM lost) AS "endUnknown", CASE WHEN l.attempts > 0 THEN (
    SELECT jsonb_agg(CASE WHEN a.finished_at IS NULL OR (a.unknown AND a.outcomes IS NULL)
      THEN extract(epoch FROM now() - coalesce(a.finished_at, now())) * 1000 END ORDER BY a.fence)
    FROM nestjs_emails.attempts a WHERE a.email_id = l.email_id
  ) END AS "lostAttempts",
  extract(epoch FROM d.due_at - now())::float8 * 1000 AS wait,
  extract(epoch FROM now() - l.since)::float8 * 1000 AS "dueFor",
  e.account_id AS "accountId", e.message_id AS "messageId", e.from_mailbox AS "from", to_json(e.to_mailboxes) AS "to",
  to_json(e.cc_mailboxes) AS cc, to_json(e.reply_to_mailboxes) AS "replyTo", e.subject, e.headers, e.topic_id AS "topicId",
  CASE WHEN c.content <= $3 THEN e.html END AS html, CASE WHEN c.content <= $3 THEN e.text END AS text,
  c.content AS "contentSize",
  greatest(e.scheduled_at, e.created_at) AS "date",
  extract(epoch FROM now() - greatest(e.scheduled_at, e.created_at))::float8 * 1000 AS age,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('filename', a.filename, 'contentType', a.content_type, 'contentId',
    a.content_id, 'contentHash', a.content_hash, 'size', a.size) ORDER BY a.position), '[]')
   FROM nestjs_emails.attachments a WHERE a.email_id = e.id) AS attachments
FROM unnest($1::uuid[]) AS asked(id)
LEFT JOIN nestjs_emails.deliveries d ON d.email_id = asked.id
LEFT JOIN leased l ON l.email_id = asked.id AND l.fence = d.fence + 1
LEFT JOIN started s ON s.email_id = l.email_id
LEFT JOIN nestjs_emails.emails e ON e.id = l.email_id,
LATERAL (SELECT coalesce(octet_length(e.html), 0) + coalesce(octet_length(e.text), 0) AS content) AS c`;

/** $1: email. */
export const CONTENT = 'SELECT html, text FROM nestjs_emails.emails WHERE id = $1';

/**
 * $1: email ids, $2: fences. Resolves with the ids whose lease still holds; for the others, and for those that somebody
 * has locked, nothing is written. Until its commit it locks the deliveries, so that nobody leases them meanwhile without
 * seeing the attempt.
 */
export const OPEN_ATTEMPTS = `
WITH locked AS MATERIALIZED (
  SELECT d.email_id, d.fence FROM nestjs_emails.deliveries d
  JOIN unnest($1::uuid[], $2::integer[]) AS held(id, fence) ON d.email_id = held.id AND d.fence = held.fence
  JOIN nestjs_emails.emails e ON e.id = d.email_id
  WHERE coalesce(d.due_at, '-infinity') > clock_timestamp()
  ORDER BY d.email_id FOR UPDATE OF d SKIP LOCKED FOR KEY SHARE OF e SKIP LOCKED
)
INSERT INTO nestjs_emails.attempts (email_id, fence, started_at)
SELECT email_id, fence, clock_timestamp() FROM locked
RETURNING email_id AS id`;

/**
 * $1: email ids, $2: fences, $3: lease in milliseconds. Says of each email whether its lease was renewed and, if not,
 * whether it is still held, and only locked by somebody. A lease that has run out is renewed too, as long as nobody else
 * took one.
 */
const extend = (locked: Locked) => `
WITH held AS MATERIALIZED (
  SELECT held.id, d.email_id IS NOT NULL AS matches
  FROM unnest($1::uuid[], $2::integer[]) AS held(id, fence)
  LEFT JOIN nestjs_emails.deliveries d ON d.email_id = held.id AND d.fence = held.fence
    AND coalesce(d.due_at, '-infinity') > '-infinity'
),
locked AS MATERIALIZED (
  SELECT d.email_id FROM nestjs_emails.deliveries d
  JOIN unnest($1::uuid[], $2::integer[]) AS held(id, fence) ON d.email_id = held.id AND d.fence = held.fence
  WHERE coalesce(d.due_at, '-infinity') > '-infinity' ORDER BY d.email_id FOR UPDATE OF d ${locked}
),
renewed AS (
  UPDATE nestjs_emails.deliveries d SET due_at = clock_timestamp() + $3::float8 * interval '1 millisecond'
  FROM locked WHERE d.email_id = locked.email_id
  RETURNING d.email_id AS id
)
SELECT id, id IN (SELECT id FROM renewed) AS done, matches AS held FROM held`;

export const EXTEND_LEASES = extend('SKIP LOCKED');
export const EXTEND_LOCKED_LEASE = extend('');

/**
 * $1: JSON array of `LeaseEnd`. Closes the attempt and moves the delivery where the lease still holds; a worker that
 * outlived its lease changes nothing, nor does one that repeats itself because it never heard of its first success. The
 * fence moves on, so that a renewal which comes late changes nothing either. Says of each email whether its lease ended
 * and, if not, whether it is still held, and only locked by somebody.
 */
const close = (locked: Locked) => `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(
    id uuid, fence integer, attempts integer, recipients jsonb, "lastEvent" text, "retryIn" float8, outcomes jsonb,
    "endUnknown" boolean, events jsonb, "waitsFor" text, "dueFor" float8)
),
held AS MATERIALIZED (
  SELECT input.id FROM input JOIN nestjs_emails.deliveries d ON d.email_id = input.id AND d.fence = input.fence
  WHERE coalesce(d.due_at, '-infinity') > '-infinity'
),
locked AS MATERIALIZED (
  SELECT d.email_id AS id, d.fence FROM nestjs_emails.deliveries d
  JOIN input ON d.email_id = input.id AND d.fence = input.fence
  JOIN nestjs_emails.emails e ON e.id = d.email_id
  WHERE coalesce(d.due_at, '-infinity') > '-infinity'
  ORDER BY d.email_id FOR UPDATE OF d ${locked} FOR KEY SHARE OF e ${locked}
),
open AS MATERIALIZED (
  SELECT a.email_id AS id FROM locked JOIN nestjs_emails.attempts a ON a.email_id = locked.id AND a.fence = locked.fence
  ORDER BY a.email_id FOR UPDATE OF a ${locked}
),
ending AS MATERIALIZED (
  SELECT locked.id FROM locked
  LEFT JOIN nestjs_emails.attempts a ON a.email_id = locked.id AND a.fence = locked.fence
  WHERE a.email_id IS NULL OR a.email_id IN (SELECT id FROM open)
),
moved AS (
  UPDATE nestjs_emails.deliveries d
  SET recipients = input.recipients, last_event = input."lastEvent", attempts = input.attempts, fence = d.fence + 1,
    due_at = clock_timestamp() + input."retryIn" * interval '1 millisecond',
    waits_for = ${hopHash('input."waitsFor"')}, waits_since = CASE WHEN input."waitsFor" IS NOT NULL THEN d.fence + 1 END,
    waits_from = CASE WHEN input."waitsFor" IS NOT NULL
      THEN clock_timestamp() - input."dueFor" * interval '1 millisecond' END
  FROM input JOIN ending USING (id) WHERE d.email_id = input.id
  RETURNING d.email_id AS id
),
closed AS (
  UPDATE nestjs_emails.attempts a
  SET finished_at = clock_timestamp(), outcomes = input.outcomes, unknown = input."endUnknown"
  FROM input JOIN moved USING (id) WHERE a.email_id = input.id AND a.fence = input.fence
),
recorded AS (
  INSERT INTO nestjs_emails.events (email_id, type, recipient, reason, attempt, bounce)
  SELECT input.id, e.type, e.recipient, e.reason, e.attempt, e.bounce
  FROM input JOIN moved USING (id), jsonb_to_recordset(input.events) AS e(type text, recipient text, reason text,
    attempt integer, bounce jsonb)
  RETURNING email_id, id, type, recipient, occurred_at
),
told AS (
  SELECT email_id AS id, jsonb_agg(jsonb_build_object('id', id::text, 'type', type, 'recipient', recipient,
    'at', extract(epoch FROM occurred_at) * 1000)) AS events
  FROM recorded GROUP BY email_id
)
SELECT id, id IN (SELECT id FROM moved) AS done, id IN (SELECT id FROM held) AS held, told.events
FROM input LEFT JOIN told USING (id)`;

export const CLOSE = close('SKIP LOCKED');
export const CLOSE_LOCKED = close('');

/**
 * $1: how many are counted at most. Due now and leased by nobody: while a worker has it, an email is due later. And those
 * that only wait for a next hop, whenever they look for it again. The planner does not know the limit, and so takes both in
 * the order of their indexes; else it reads the whole table before it has statistics.
 */
export const DUE = `
WITH due AS MATERIALIZED (
  SELECT due_at FROM nestjs_emails.deliveries WHERE due_at <= now() ORDER BY due_at LIMIT (SELECT $1::bigint)
),
waiting AS MATERIALIZED (
  SELECT waits_from, due_at > now() AS later FROM nestjs_emails.deliveries
  WHERE waits_for IS NOT NULL AND waits_since = fence ORDER BY waits_for, seq LIMIT (SELECT $1::bigint)
)
SELECT least((SELECT count(*) FROM due) + (SELECT count(*) FROM waiting WHERE later), $1::bigint)::integer AS count,
  coalesce(extract(epoch FROM now() - least((SELECT min(due_at) FROM due),
    (SELECT min(coalesce(waits_from, now())) FROM waiting)))::float8 * 1000, 0) AS "oldestAge"`;

/**
 * In the order of its index: where statistics come from an outage, in which much waits, the planner takes it that the first
 * is found soon in any order, and reads the whole table when nothing waits any more.
 */
const FIRST_WAITING = `
  SELECT email_id FROM nestjs_emails.deliveries WHERE waits_for = ${hopHash('$4')} ORDER BY seq LIMIT 1`;

/** What becomes due is due at the beginning of its transaction, and is seen at its end. Milliseconds between, as a rule. */
const UNCOMMITTED = 5_000;

/**
 * The longest overdue first; of those that fell due at the same moment any, for a broadcast has hundreds of thousands of
 * them, and all would have to be sorted. What fell due just now is left out: its wake-up is on its way.
 */
const overdue = (place: string) => `
SELECT waiting.found AS "anyWaits",
  least(now() - ($1::float8 + ${UNCOMMITTED}) * interval '1 millisecond', min(d.due_at) OVER ())::text AS "clearTo", d.email_id AS "emailId", e.account_id AS "accountId", d.fence,
  d.due_at::text AS "dueAt", greatest(extract(epoch FROM d.due_at - now())::float8 * 1000, 0) AS delay
FROM (SELECT (${FIRST_WAITING}) IS NOT NULL AS found) AS waiting
LEFT JOIN (
  SELECT email_id, fence, due_at FROM nestjs_emails.deliveries
  WHERE due_at <= now() + $2::float8 * interval '1 millisecond' ${place}
    AND (due_at <= now() - $1::float8 * interval '1 millisecond' OR due_at > now())
  ORDER BY due_at LIMIT $3
) AS d ON true LEFT JOIN nestjs_emails.emails e ON e.id = d.email_id
ORDER BY d.due_at`;

/**
 * $1: milliseconds overdue, $2: milliseconds ahead, $3: how many at most, $4: next hop. Each row says whether any email
 * waits for that, and up to when the longest overdue were found; where none is due, there is one row that says only this.
 */
export const OVERDUE = overdue('');

/** $5: `dueAt` from which to begin. */
export const OVERDUE_FROM = overdue('AND due_at >= $5::timestamptz');

/**
 * $1: next hop, $2: how many at most. The oldest of those that wait for it are due now. Those with another fence than the
 * one under which they waited were moved by an old process, and only forgotten here.
 */
export const RELEASE = `
WITH found AS MATERIALIZED (
  SELECT email_id, fence = waits_since AND due_at IS NOT NULL AS waits FROM nestjs_emails.deliveries
  WHERE waits_for = ${hopHash('$1')} ORDER BY seq LIMIT $2 FOR UPDATE SKIP LOCKED
),
released AS (
  UPDATE nestjs_emails.deliveries d
  SET waits_for = NULL, waits_since = NULL, waits_from = NULL, due_at = CASE WHEN found.waits THEN least(d.due_at, now()) ELSE d.due_at END
  FROM found WHERE d.email_id = found.email_id
  RETURNING d.email_id, d.fence, d.seq, found.waits
)
SELECT r.email_id AS "emailId", e.account_id AS "accountId", r.fence, r.waits
FROM released r JOIN nestjs_emails.emails e ON e.id = r.email_id ORDER BY r.seq`;
