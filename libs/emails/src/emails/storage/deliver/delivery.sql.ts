import { FIRST_STATE } from '../../states/email-states.js';
import { AFTER_LOCKED_PAUSE, ANY_PAUSE, PAUSES_OF_EMAIL } from './pause.sql.js';

/*
 * Hand-written because each statement handles a group of emails: delivery is 2.5 times as fast (Redis) and 3.2 times
 * (PostgreSQL) as a processor that loads and saves each email (docs/bench.md, `delivery-redis`, `delivery-postgres`).
 *
 * Statements about emails with known ids put `coalesce` around `due_at`. Without it the planner sees that only rows of
 * the index `deliveries_due` can match, and reads the whole index if its statistics are from a time when nothing
 * waited, which is most of the time. Statements that look for due emails compare `due_at` with `now()`, which limits
 * what they read of that index; with `clock_timestamp()` they would read all scheduled emails too.
 *
 * These statements handle many emails at once, so none of them may wait for a row that another transaction has locked:
 * all other emails would wait with it. Each first locks the rows that it is going to write, in the order of ids, and
 * skips emails with a row that is locked. That includes the rows of `emails`: an event or attempt that refers to one
 * locks it `FOR KEY SHARE` (its foreign key).
 */

const QUEUED = `'${FIRST_STATE.now}'`;
const SCHEDULED = `'${FIRST_STATE.later}'`;

/**
 * The sets of next hops that emails wait for (`hopBits`), one look into the index for each, and a null at the end. Ordered by
 * that index. With statistics from an outage, when many emails wait, the planner assumes that the first row is found soon in
 * any order; later it would read the whole table when none waits.
 */
const AWAITED = `
awaited(hops) AS (
  (SELECT waits_for FROM nestjs_emails.deliveries WHERE waits_for IS NOT NULL ORDER BY waits_for, seq LIMIT 1)
  UNION ALL
  SELECT (SELECT waits_for FROM nestjs_emails.deliveries WHERE waits_for > awaited.hops ORDER BY waits_for, seq LIMIT 1)
  FROM awaited WHERE awaited.hops IS NOT NULL
)`;

/** Time since which an email has been due. An email that waits for a next hop gets a new `due_at` meanwhile. */
const DUE_SINCE = 'CASE WHEN waits_for IS NOT NULL THEN waits_from ELSE due_at END';

/** `SKIP LOCKED` skips locked rows. An empty string waits for them: only for a statement about one email. */
export type Locked = 'SKIP LOCKED' | '';

/**
 * $1: email ids, $2: lease in milliseconds, $3: limit of html and text to read, $4: the same where there is html alone. Bytes.
 * $5: whether tags are read.
 *
 * Leases due emails. Returns for each id the lease, or the time until it is due, or nothing (finished, unknown, paused, or
 * leased by another worker). An attempt that an earlier lease left open is closed here as unknown, and counted: its
 * worker died before the end. An open attempt with outcomes ended before its worker died: the worker of this lease settles
 * it (`CLOSE_SPLIT`), also for an email that is paused.
 *
 * A change without a lease moves the fence too. If such a change was committed while this statement was about to lease
 * the email, the data it read may be older than the change. Then it returns nothing, and the email comes back when the
 * lease has run out.
 *
 * Paused emails are due at infinity from then on, so that no later look finds them; `RELEASE_PAUSED` ends that. The pause
 * is deleted first, which waits until this statement has committed. If its row is locked, by its end for example, they are put
 * off for some seconds, without a lease. Without any pause this costs one look at an empty
 * table. Transports are chosen after the lease: it returns the names of those that are paused for the email.
 *
 * Emails are due if their time is before `now()`, when the statement began. A worker that opened an attempt, knowing
 * that its lease held, did so before this statement began: it sees that attempt.
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
  SELECT a.email_id, a.fence, a.message FROM due JOIN nestjs_emails.attempts a USING (email_id) WHERE a.finished_at IS NULL
),
open AS MATERIALIZED (
  SELECT a.email_id, a.fence, a.message, a.outcomes, a.transport
  FROM unended JOIN nestjs_emails.attempts a USING (email_id, fence, message)
  WHERE a.finished_at IS NULL FOR UPDATE OF a SKIP LOCKED
),
lost AS MATERIALIZED (SELECT email_id, fence, message FROM open WHERE outcomes IS NULL),
ended AS MATERIALIZED (SELECT email_id, message, outcomes, transport FROM open WHERE outcomes IS NOT NULL),
locked_attempts AS MATERIALIZED (
  SELECT email_id FROM unended WHERE (email_id, fence, message) NOT IN (SELECT email_id, fence, message FROM open)
),
paused AS MATERIALIZED (
  SELECT e.id, p.scope, p.subject FROM due JOIN nestjs_emails.emails e ON e.id = due.email_id, LATERAL ${PAUSES_OF_EMAIL}
  WHERE ${ANY_PAUSE} AND p.transport = '' AND e.id NOT IN (SELECT email_id FROM ended)
),
held AS MATERIALIZED (
  SELECT paused.id FROM paused JOIN nestjs_emails.pauses p USING (scope, subject) WHERE p.transport = ''
  FOR KEY SHARE OF p SKIP LOCKED
),
kept AS (
  UPDATE nestjs_emails.deliveries d
  SET fence = d.fence + 1, waits_for = NULL, waits_from = NULL,
    due_at = CASE WHEN d.email_id IN (SELECT id FROM held) THEN 'infinity' ELSE ${AFTER_LOCKED_PAUSE} END,
    attempts = d.attempts + (SELECT count(*) FROM lost WHERE lost.email_id = d.email_id)
  FROM (SELECT DISTINCT id FROM paused) AS paused WHERE d.email_id = paused.id AND d.email_id NOT IN (SELECT email_id FROM locked_attempts)
  RETURNING d.email_id
),
leased AS (
  UPDATE nestjs_emails.deliveries d
  SET fence = fence + 1, due_at = clock_timestamp() + $2::float8 * interval '1 millisecond',
    attempts = d.attempts + (SELECT count(*) FROM lost WHERE lost.email_id = d.email_id),
    last_event = CASE d.last_event WHEN ${SCHEDULED} THEN ${QUEUED} ELSE d.last_event END,
    waits_for = NULL, waits_from = NULL
  FROM due WHERE d.email_id = due.email_id AND due.email_id NOT IN (SELECT id FROM paused)
    AND (due.last_event <> ${SCHEDULED} OR due.email_id IN (SELECT id FROM startable))
    AND due.email_id NOT IN (SELECT email_id FROM locked_attempts)
  RETURNING d.email_id, d.fence, d.attempts, d.recipients, due.last_event AS previous_event, due.since
),
abandoned AS (
  UPDATE nestjs_emails.attempts a SET finished_at = clock_timestamp(), unknown = true
  FROM (SELECT email_id FROM leased UNION ALL SELECT email_id FROM kept) AS moved JOIN lost USING (email_id)
  WHERE a.email_id = lost.email_id AND a.fence = lost.fence AND a.message = lost.message
),
started AS (
  INSERT INTO nestjs_emails.events (email_id, type)
  SELECT email_id, ${QUEUED} FROM leased WHERE previous_event = ${SCHEDULED}
  RETURNING email_id, id AS event_id, occurred_at
)
SELECT asked.id, l.fence, l.attempts, l.recipients, s.event_id::text AS "startedId", s.occurred_at AS "startedAt",
  asked.id IN (SELECT email_id FROM lost) AS "endUnknown", CASE WHEN l.attempts > 0 THEN (
    SELECT jsonb_agg(CASE WHEN (a.finished_at IS NULL OR a.unknown) AND a.outcomes IS NULL
      THEN extract(epoch FROM now() - coalesce(a.finished_at, now())) * 1000 END ORDER BY a.fence, a.message)
    FROM nestjs_emails.attempts a WHERE a.email_id = l.email_id AND a.message = 0
  ) END AS "lostAttempts",
  CASE WHEN l.attempts > 0 THEN (
    SELECT jsonb_agg(jsonb_build_object('message', a.message, 'isNew', a.finished_at IS NULL, 'since', CASE WHEN NOT EXISTS (
        SELECT FROM nestjs_emails.attempts later
        WHERE later.email_id = a.email_id AND later.fence > a.fence AND later.message = a.message
      ) THEN extract(epoch FROM now() - coalesce(a.finished_at, now())) * 1000 END) ORDER BY a.fence)
    FROM nestjs_emails.attempts a
    WHERE a.email_id = l.email_id AND a.message > 0 AND (a.finished_at IS NULL OR a.unknown) AND a.outcomes IS NULL
  ) END AS "lostMessages",
  (SELECT jsonb_agg(outcome || jsonb_build_object('transport', ended.transport)) FROM ended, jsonb_array_elements(ended.outcomes) AS outcome
   WHERE ended.email_id = l.email_id) AS "endedOutcomes",
  CASE WHEN isfinite(d.due_at) THEN extract(epoch FROM d.due_at - now())::float8 * 1000 END AS wait,
  extract(epoch FROM now() - l.since)::float8 * 1000 AS "dueFor",
  e.account_id AS "accountId", e.message_id AS "messageId", e.from_mailbox AS "from", to_json(e.to_mailboxes) AS "to",
  to_json(e.cc_mailboxes) AS cc, to_json(e.reply_to_mailboxes) AS "replyTo", e.subject, e.headers, e.topic_id AS "topicId",
  CASE WHEN ${ANY_PAUSE} THEN (
    SELECT json_agg(p.transport) FROM ${PAUSES_OF_EMAIL} WHERE p.transport <> ''
  ) END AS "pausedTransports",
  CASE WHEN $5::boolean THEN e.tags END AS tags, e.api_key_id AS "apiKeyId", e.domain_id AS "domainId",
  d.bulk IS TRUE AS "isBulk",
  extract(epoch FROM now() - e.created_at)::float8 * 1000 AS "acceptedFor",
  CASE WHEN c.is_read THEN e.html END AS html, CASE WHEN c.is_read THEN e.text END AS text,
  c.content AS "contentSize", c.is_html_only AS "isHtmlOnly",
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
LATERAL (
  SELECT content, is_html_only, content <= CASE WHEN is_html_only THEN $4::integer ELSE $3::integer END AS is_read
  FROM (SELECT coalesce(octet_length(e.html), 0) + coalesce(octet_length(e.text), 0), e.text IS NULL AND e.html IS NOT NULL)
    AS sizes(content, is_html_only)
) AS c`;

/** $1: email. */
export const CONTENT = 'SELECT html, text FROM nestjs_emails.emails WHERE id = $1';

/** Attempts that may begin: $1: email ids, $2: fences, $3: messages, $4: transports. Their leases hold, and no pause keeps them. */
const MAY_BEGIN = `SELECT d.email_id, d.fence, held.message, held.transport FROM nestjs_emails.deliveries d
  JOIN unnest($1::uuid[], $2::integer[], $3::smallint[], $4::text[]) AS held(id, fence, message, transport)
    ON d.email_id = held.id AND d.fence = held.fence
  JOIN nestjs_emails.emails e ON e.id = d.email_id
  WHERE coalesce(d.due_at, '-infinity') > clock_timestamp() AND NOT (${ANY_PAUSE} AND EXISTS (
    SELECT FROM ${PAUSES_OF_EMAIL} WHERE p.transport IN ('', held.transport)
  ))`;

/**
 * As `MAY_BEGIN`. Returns the ids whose lease still holds. For the others, and for locked rows, nothing is
 * written, and for an email that was paused after its lease. The deliveries stay locked until the commit, so that no
 * worker leases them without seeing the attempt.
 */
export const OPEN_ATTEMPTS = `
WITH locked AS MATERIALIZED (
  ${MAY_BEGIN}
  ORDER BY d.email_id FOR UPDATE OF d SKIP LOCKED FOR KEY SHARE OF e SKIP LOCKED
)
INSERT INTO nestjs_emails.attempts (email_id, fence, message, started_at, transport)
SELECT email_id, fence, message, clock_timestamp(), transport FROM locked
RETURNING email_id AS id`;

/** As `MAY_BEGIN`, of attempts that are open already. It locks nothing: a lease with an attempt is not lost unseen. */
export const CHECK_ATTEMPTS = `WITH ready AS (${MAY_BEGIN})
SELECT email_id AS id FROM ready JOIN nestjs_emails.attempts a USING (email_id, fence, message) WHERE a.finished_at IS NULL`;

/**
 * $1: email ids, $2: fences, $3: messages. Deletes attempts that are open, and returns the ids of their emails. A later lease that has
 * closed one as unknown has locked it, or ended it.
 */
export const WITHDRAW_ATTEMPTS = `
WITH open AS MATERIALIZED (
  SELECT a.email_id, a.fence, a.message FROM nestjs_emails.attempts a
  JOIN unnest($1::uuid[], $2::integer[], $3::smallint[]) AS held(id, fence, message)
    ON a.email_id = held.id AND a.fence = held.fence AND a.message = held.message
  WHERE a.finished_at IS NULL AND a.outcomes IS NULL ORDER BY a.email_id FOR UPDATE OF a SKIP LOCKED
),
withdrawn AS (
  DELETE FROM nestjs_emails.attempts a USING open
  WHERE a.email_id = open.email_id AND a.fence = open.fence AND a.message = open.message
  RETURNING a.email_id AS id
)
SELECT id FROM withdrawn`;

/**
 * $1: email ids, $2: fences, $3: lease in milliseconds. Returns for each email whether its lease was renewed and, if
 * not, whether it is still held and only locked by another transaction. An expired lease is renewed too, unless another
 * worker took one.
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
 * $1: limit of the count. Counts emails that are due now without a lease (a leased email is due later), and emails that
 * wait for a next hop, whatever their due time. The planner does not know the limit and therefore reads both in the
 * order of their indexes; otherwise it reads the whole table before it has statistics.
 */
export const DUE = `
WITH due AS MATERIALIZED (
  SELECT due_at FROM nestjs_emails.deliveries WHERE due_at <= now() ORDER BY due_at LIMIT (SELECT $1::bigint)
),
waiting AS MATERIALIZED (
  SELECT waits_from, due_at > now() AS later FROM nestjs_emails.deliveries
  WHERE waits_for IS NOT NULL ORDER BY waits_for, seq LIMIT (SELECT $1::bigint)
)
SELECT least((SELECT count(*) FROM due) + (SELECT count(*) FROM waiting WHERE later), $1::bigint)::integer AS count,
  coalesce(extract(epoch FROM now() - least((SELECT min(due_at) FROM due),
    (SELECT min(waits_from) FROM waiting)))::float8 * 1000, 0) AS "oldestAge",
  (SELECT count(*) FROM waiting)::integer AS waiting,
  coalesce(extract(epoch FROM now() - (SELECT min(waits_from) FROM waiting))::float8 * 1000, 0) AS "oldestWaiting"`;

/**
 * The last event of an email that waits for a hop: the words with which the hop was unreachable. No row: none waits.
 */
export const WHY_WAITING = `
SELECT v.reason FROM (
  SELECT email_id FROM nestjs_emails.deliveries WHERE waits_for IS NOT NULL ORDER BY waits_for, seq LIMIT 1
) AS d JOIN nestjs_emails.events v ON v.email_id = d.email_id ORDER BY v.id DESC LIMIT 1`;

/**
 * $1: next hops (`hopBits`). Of those that wait for the same hops, the first thousand count: an email that
 * was accepted later may wait for longer.
 */
export const LATENESS = `
WITH RECURSIVE ${AWAITED}
SELECT coalesce(greatest(age.due, age.waiting), 0) AS "oldestDue", age.waiting AS "oldestWaiting"
FROM (
  SELECT extract(epoch FROM now() - (
      SELECT due_at FROM nestjs_emails.deliveries WHERE due_at <= now() ORDER BY due_at LIMIT 1
    ))::float8 * 1000 AS due,
    extract(epoch FROM now() - (
      SELECT min(waiting.waits_from) FROM awaited, LATERAL (
        SELECT waits_from FROM nestjs_emails.deliveries WHERE waits_for = awaited.hops ORDER BY seq LIMIT 1000
      ) AS waiting WHERE awaited.hops & $1::bigint <> 0
    ))::float8 * 1000 AS waiting
) AS age`;

/**
 * Difference between a row's due time, at the beginning of its transaction, and its visibility, at the end: usually
 * less. Milliseconds.
 */
const UNCOMMITTED = 5_000;

/**
 * The longest overdue first. Emails with the same due time come in any order: a broadcast has hundreds of thousands of
 * them, and all would have to be sorted. Emails that fell due just now are left out: their wake-ups are on the way.
 */
const overdue = (place: string) => `
WITH RECURSIVE ${AWAITED}
SELECT waiting.found AS "anyWaits",
  least(now() - (greatest($1::float8, $2::float8) + ${UNCOMMITTED}) * interval '1 millisecond', min(d.due_at) OVER ())::text AS "clearTo", d.email_id AS "emailId", e.account_id AS "accountId", d.fence,
  d.due_at::text AS "dueAt", d.bulk IS TRUE AS "isBulk", greatest(extract(epoch FROM d.due_at - now())::float8 * 1000, 0) AS delay
FROM (SELECT EXISTS (SELECT FROM awaited WHERE hops & $5::bigint <> 0) AS found) AS waiting
LEFT JOIN (
  SELECT email_id, fence, due_at, bulk FROM nestjs_emails.deliveries
  WHERE due_at <= now() + $3::float8 * interval '1 millisecond' ${place}
    AND (due_at <= now() - CASE WHEN bulk THEN $2::float8 ELSE $1::float8 END * interval '1 millisecond' OR due_at > now())
  ORDER BY due_at LIMIT $4
) AS d ON true LEFT JOIN nestjs_emails.emails e ON e.id = d.email_id
ORDER BY d.due_at`;

/**
 * $1, $2: milliseconds overdue, in `now` and in `bulk`, $3: milliseconds ahead, $4: limit, $5: next hops (`hopBits`). Each row
 * says whether an email waits for one of them, and up to which time the longest overdue were found. If none is due, one row
 * says only this.
 */
export const OVERDUE = overdue('');

/** $6: `dueAt` from which to begin. */
export const OVERDUE_FROM = overdue('AND due_at >= $6::timestamptz');

/** $1: next hops (`hopBits`), $2: limit. Makes the oldest emails that wait for one of them due now. */
export const RELEASE = `
WITH RECURSIVE ${AWAITED},
found AS MATERIALIZED (
  SELECT waiting.email_id FROM awaited, LATERAL (
    SELECT email_id, seq FROM nestjs_emails.deliveries
    WHERE waits_for = awaited.hops ORDER BY seq LIMIT $2 FOR UPDATE SKIP LOCKED
  ) AS waiting WHERE awaited.hops & $1::bigint <> 0 ORDER BY waiting.seq LIMIT $2
),
released AS (
  UPDATE nestjs_emails.deliveries d
  SET waits_for = NULL, waits_from = NULL, due_at = least(d.due_at, now())
  FROM found WHERE d.email_id = found.email_id
  RETURNING d.email_id, d.fence, d.seq, d.bulk
)
SELECT r.email_id AS "emailId", e.account_id AS "accountId", r.fence, r.bulk IS TRUE AS "isBulk"
FROM released r JOIN nestjs_emails.emails e ON e.id = r.email_id ORDER BY r.seq`;
