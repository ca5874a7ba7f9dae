/*
 * Written by hand, because each statement covers many webhooks: with an endpoint, delivery of emails keeps 0.85 of its
 * rate (docs/bench.md, `webhooks-delivery`).
 */

/** Seed of the hash of an address (`addr` in ASCII). */
const PERSON = 0x6164_6472;

/** @param key `addressKey` of an address */
export const personHash = (key: string, account: string) =>
  `hashtextextended(${key}, hashtextextended(${account}, ${PERSON}))`;

const MILLISECOND = "interval '1 millisecond'";

/**
 * $1: JSON array of messages, each with its webhooks. A payload is stored once for all of them. A disabled webhook gets
 * nothing. The statement neither locks webhooks nor waits for them, because the events of all accounts pass through it.
 * Rows written into the log of a webhook that is disabled at the same moment are dropped with the rest. Events are due
 * from the statement's time on, not from the transaction's start: a transaction that started later may have written
 * before.
 */
export const RECORD = `
WITH message AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(
    place integer, id text, type text, "createdAt" timestamptz, body text, "emailId" uuid, recipient text, people text[],
    "webhookIds" uuid[])
),
input AS MATERIALIZED (
  SELECT m.place, m.id, "webhookId" FROM message m CROSS JOIN unnest(m."webhookIds") AS "webhookId"
),
enabled AS MATERIALIZED (
  SELECT id, account_id FROM nestjs_emails.webhooks
  WHERE id = ANY(ARRAY(SELECT "webhookId" FROM input)) AND status = 'enabled'
),
fresh AS MATERIALIZED (
  SELECT i.place, i.id, w.id AS webhook_id, w.account_id
  FROM input i JOIN enabled w ON w.id = i."webhookId"
  WHERE NOT EXISTS (SELECT FROM nestjs_emails.webhook_events e WHERE e.webhook_id = w.id AND e.event_id = i.id)
),
-- One that is there is locked, so that it is not deleted with the last of the others.
shared AS (
  INSERT INTO nestjs_emails.webhook_payloads (account_id, event_id, body, email_id, recipient)
  SELECT f.account_id, f.id, m.body, m."emailId", m.recipient
  FROM (SELECT DISTINCT account_id, id FROM fresh) AS f JOIN message m ON m.id = f.id
  ORDER BY f.account_id, f.id
  ON CONFLICT (account_id, event_id) DO UPDATE SET event_id = excluded.event_id
  RETURNING id, account_id, event_id
)
INSERT INTO nestjs_emails.webhook_events
  (webhook_id, account_id, event_id, type, created_at, payload_id, due_at, people)
SELECT f.webhook_id, f.account_id, m.id, m.type, m."createdAt", s.id, statement_timestamp(),
  (SELECT array_agg(${personHash('key', 'f.account_id')}) FROM unnest(m.people) AS key)
FROM fresh f JOIN message m ON m.id = f.id
JOIN shared s ON s.account_id = f.account_id AND s.event_id = f.id
ORDER BY f.place
ON CONFLICT (webhook_id, event_id) DO NOTHING`;

/*
 * Rows found by an index are requested in the order of the index: with old statistics the planner expects the first row
 * soon in any order, and reads the whole table.
 */

const nextOf = (after: string, condition = 'due_at IS NOT NULL', order = 'due_at, seq') => `
  SELECT webhook_id FROM nestjs_emails.webhook_events WHERE ${condition} AND webhook_id > ${after}
  ORDER BY webhook_id, ${order} LIMIT 1`;

/** Columns of a webhook `found` and its `first` event, and whether any event is pending as a replay. */
const WORK = `found.id, least(first.due_at, CASE WHEN first.due_at IS NOT NULL THEN now() END)::text AS "dueFrom",
  coalesce(first.due_at <= now(), false) AS "isDue",
  (SELECT seq FROM nestjs_emails.webhook_events WHERE replays > 0 ORDER BY webhook_id, seq LIMIT 1) IS NOT NULL
    AS "hasReplays"`;
/** The first pending event of a webhook, due or not. @param from its earliest due time */
const firstDue = (webhook: string, from: string) => `
  SELECT e.due_at FROM nestjs_emails.webhook_events e WHERE e.webhook_id = ${webhook} AND e.due_at >= ${from}
  ORDER BY e.due_at, e.seq LIMIT 1`;

/**
 * $1: webhook to start after, $2: limit. Webhooks with pending events and the due time of the first event of each. It
 * steps from one webhook to the next, regardless of their number of events. Also returns the number of the newest
 * event: numbers are in the order of commits, because one transaction at a time writes into logs. A row without a
 * webhook means that there is none.
 */
export const FIND_ALL_WORK = `
WITH RECURSIVE pending(id) AS (
  (${nextOf('$1::uuid')})
  UNION ALL
  SELECT (${nextOf('p.id')}) FROM pending p WHERE p.id IS NOT NULL
),
found AS (SELECT id FROM pending WHERE id IS NOT NULL LIMIT $2)
SELECT ${WORK}, (SELECT e.seq FROM nestjs_emails.webhook_events e ORDER BY e.seq DESC LIMIT 1)::text AS newest,
  (SELECT count(*) FROM found) = $2 AS "mayHaveMore"
FROM (SELECT) AS one LEFT JOIN found ON true
LEFT JOIN LATERAL (${firstDue('found.id', "'-infinity'")}) AS first ON true ORDER BY found.id`;

/** Limit of new events in one poll. If there are more, another poll follows: a small poll is cheap in any plan. */
const MAX_NEW_EVENTS = 1_000;

/**
 * $1: number of the newest event in the last poll, $2: webhooks with pending events then, $3: due time of the first
 * event of each. Returns the same for these, and for those with new events. While an old snapshot is open, an index
 * keeps an entry of every sent event. The subqueries skip these: they start where the last poll found the first event.
 */
export const FIND_WORK = `
WITH fresh AS MATERIALIZED (
  SELECT e.webhook_id, e.due_at, e.seq FROM nestjs_emails.webhook_events e WHERE e.seq > $1::bigint
  ORDER BY e.seq LIMIT ${MAX_NEW_EVENTS}
),
seen AS MATERIALIZED (SELECT max(seq) AS newest, count(*) = ${MAX_NEW_EVENTS} AS may_have_more FROM fresh),
found AS MATERIALIZED (
  SELECT id, min(due_at) AS due_at FROM (
    SELECT * FROM unnest($2::uuid[], $3::timestamptz[]) AS before(id, due_at)
    UNION ALL SELECT webhook_id, due_at FROM fresh WHERE due_at IS NOT NULL) AS together GROUP BY id
)
SELECT ${WORK}, coalesce(seen.newest, $1::bigint)::text AS newest, seen.may_have_more AS "mayHaveMore"
FROM seen LEFT JOIN found ON true
LEFT JOIN LATERAL (${firstDue('found.id', 'found.due_at')}) AS first ON true ORDER BY found.id`;

/** $1: limit. Webhooks with pending replays, regardless of their number. */
export const FIND_REPLAYS = `
WITH RECURSIVE pending(id) AS (
  (${nextOf("'00000000-0000-0000-0000-000000000000'", 'replays > 0', 'seq')})
  UNION ALL
  SELECT (${nextOf('p.id', 'replays > 0', 'seq')}) FROM pending p WHERE p.id IS NOT NULL
)
SELECT id FROM pending WHERE id IS NOT NULL LIMIT $1`;

/**
 * $1: webhooks, $2: lease in milliseconds, $3: limit, in their order. A lease that ends too late was written by a clock
 * that was ahead.
 */
export const LEASE = `
WITH free AS MATERIALIZED (
  SELECT id FROM nestjs_emails.webhooks
  WHERE id = ANY($1::uuid[]) AND status = 'enabled'
    AND (leased_until IS NULL OR leased_until <= now() OR leased_until > now() + 2 * $2::float8 * ${MILLISECOND})
  ORDER BY array_position($1::uuid[], id) LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
),
leased AS (
  UPDATE nestjs_emails.webhooks w SET leased_until = now() + $2::float8 * ${MILLISECOND}, fence = w.fence + 1
  FROM free WHERE w.id = free.id RETURNING w.id, w.fence, w.account_id AS "accountId"
)
SELECT * FROM leased ORDER BY array_position($1::uuid[], id)`;

/**
 * $1: webhooks, $2: fences. Returns for each whether its lease was written and, if not, whether it is still held and
 * merely locked.
 */
const writeLease = (values: string, locked: 'SKIP LOCKED' | '') => `
WITH asked AS MATERIALIZED (
  SELECT h.id, w.id IS NOT NULL AS held FROM unnest($1::uuid[], $2::integer[]) AS h(id, fence)
  LEFT JOIN nestjs_emails.webhooks w ON w.id = h.id AND w.fence = h.fence
),
free AS MATERIALIZED (
  SELECT w.id FROM nestjs_emails.webhooks w JOIN unnest($1::uuid[], $2::integer[]) AS h(id, fence)
    ON w.id = h.id AND w.fence = h.fence
  ORDER BY w.id FOR NO KEY UPDATE OF w ${locked}
),
written AS (
  UPDATE nestjs_emails.webhooks w SET ${values} FROM free WHERE w.id = free.id RETURNING w.id
)
SELECT id, id IN (SELECT id FROM written) AS done, held FROM asked`;

const LONGER = `leased_until = now() + $3::float8 * ${MILLISECOND}`;

/** $3: lease in milliseconds. */
export const RENEW = writeLease(LONGER, 'SKIP LOCKED');
export const RENEW_LOCKED = writeLease(LONGER, '');
export const RELEASE = writeLease('leased_until = NULL, fence = w.fence + 1', 'SKIP LOCKED');

const EVENT = `e.seq, e.event_id AS "eventId", e.attempts, e.replays,
  extract(epoch FROM now() - e.created_at)::float8 * 1000 AS age`;

/**
 * $1: webhook, $2: fence, $3: limit, $4: numbers of events in progress, $5: due time of the first remaining event in
 * the last poll, or null. No row: another process serves it. A row without an event: nothing is due. Replays come
 * first.
 */
export const READ = `
SELECT w.endpoint, w.secrets, w.failing_from IS NOT NULL AS "isFailing", e.*
FROM nestjs_emails.webhooks w LEFT JOIN LATERAL (
  (SELECT ${EVENT}, true AS replay FROM nestjs_emails.webhook_events e
   WHERE e.webhook_id = w.id AND e.replays > 0 AND e.seq <> ALL($4::bigint[]) ORDER BY e.seq LIMIT $3)
  UNION ALL
  (SELECT ${EVENT}, false FROM nestjs_emails.webhook_events e
   WHERE e.webhook_id = w.id AND e.due_at <= now() AND e.due_at >= coalesce($5::timestamptz, '-infinity')
     AND e.seq > w.dropped_to AND e.seq <> ALL($4::bigint[])
   ORDER BY e.due_at, e.seq LIMIT $3)
) AS e ON true
WHERE w.id = $1 AND w.fence = $2 AND w.status = 'enabled' AND w.leased_until > now()`;

/**
 * $1: JSON array of `AttemptEnd`. A repeated result counts once, because the number of attempts has changed. Once
 * another process serves the webhook, nothing is written. Returns for each whether its webhook is still held, and
 * whether its row was free.
 */
const end = (locked: 'SKIP LOCKED' | '') => `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(
    place integer, "webhookId" uuid, fence integer, seq bigint, attempts integer, replays integer, replay boolean, "attemptId" text,
    status integer, response text, "sentAt" float8, succeeded boolean, "retryIn" float8)
),
held AS MATERIALIZED (
  SELECT i.* FROM input i JOIN nestjs_emails.webhooks w ON w.id = i."webhookId" AND w.fence = i.fence
),
free AS MATERIALIZED (
  SELECT e.webhook_id, e.seq FROM held h JOIN nestjs_emails.webhook_events e
    ON e.webhook_id = h."webhookId" AND e.seq = h.seq
  ORDER BY e.webhook_id, e.seq FOR UPDATE OF e ${locked}
),
ended AS (
  UPDATE nestjs_emails.webhook_events e SET
    attempts = e.attempts + CASE WHEN h.replay THEN 0 ELSE 1 END,
    replays = e.replays - CASE WHEN h.replay THEN 1 ELSE 0 END,
    status = CASE
      WHEN h.succeeded THEN 'success'
      WHEN h.replay THEN e.status
      WHEN h."retryIn" IS NULL THEN 'failed' ELSE 'attempting' END,
    due_at = CASE WHEN h.replay AND NOT h.succeeded THEN e.due_at ELSE clock_timestamp() + h."retryIn" * ${MILLISECOND} END
  FROM held h JOIN free ON free.webhook_id = h."webhookId" AND free.seq = h.seq
  WHERE e.webhook_id = h."webhookId" AND e.seq = h.seq
    AND CASE WHEN h.replay THEN e.replays >= h.replays AND e.replays > 0 ELSE e.attempts = h.attempts END
  RETURNING e.webhook_id, e.seq
),
logged AS (
  INSERT INTO nestjs_emails.webhook_attempts (webhook_id, event_seq, attempt_id, http_status_code, response, sent_at)
  SELECT h."webhookId", h.seq, h."attemptId", h.status, h.response, to_timestamp(h."sentAt" / 1000)
  FROM held h JOIN ended e ON e.webhook_id = h."webhookId" AND e.seq = h.seq ORDER BY h.place
)
SELECT h.place IS NOT NULL AS held, free.seq IS NOT NULL OR NOT EXISTS (
  SELECT FROM nestjs_emails.webhook_events e WHERE e.webhook_id = i."webhookId" AND e.seq = i.seq) AS free
FROM input i LEFT JOIN held h ON h.place = i.place
LEFT JOIN free ON free.webhook_id = i."webhookId" AND free.seq = i.seq ORDER BY i.place`;

export const END = end('SKIP LOCKED');
export const END_LOCKED = end('');

/** $1: webhook, $2: fence. */
export const NOTE_SUCCESS = `
UPDATE nestjs_emails.webhooks SET failing_from = NULL, failing_since = NULL
WHERE id = $1 AND fence = $2 AND failing_from IS NOT NULL`;

const FAILING = 'now() - failing_from';

/**
 * $1: webhook, $2: fence. The failing period starts when two failures, with only failures between them, are 12 hours to
 * a day apart; the webhook is given up after five days of it.
 */
export const NOTE_FAILURE = `
WITH noted AS (
  UPDATE nestjs_emails.webhooks SET
    failing_since = CASE WHEN failing_since IS NULL AND ${FAILING} BETWEEN interval '12 hours' AND interval '1 day'
      THEN now() ELSE failing_since END,
    failing_from = CASE WHEN failing_since IS NULL AND coalesce(${FAILING} NOT BETWEEN interval '0' AND interval '1 day', true)
      THEN now() ELSE failing_from END
  WHERE id = $1 AND fence = $2 AND failing_since IS NULL
    AND coalesce(${FAILING} NOT BETWEEN interval '0' AND interval '12 hours', true)
)
SELECT coalesce(failing_since <= now() - interval '5 days', false) AS over
FROM nestjs_emails.webhooks WHERE id = $1 AND fence = $2`;

/** $1: webhook, $2: fence. */
export const LOCK = `SELECT id FROM nestjs_emails.webhooks WHERE id = $1 AND fence = $2 AND status = 'enabled' FOR UPDATE`;

/**
 * Number up to which events of a webhook are dropped. While it is disabled, all are, including those that are being
 * written.
 */
const DROPPED_TO = `CASE status WHEN 'disabled' THEN 9223372036854775807 ELSE dropped_to END`;

/**
 * $1: webhooks, $2: limit of events of each. Drops events of webhooks that were disabled after these were written.
 * Returns the webhooks without a further unlocked row. Replays stay: disabling deleted the earlier ones, so these were
 * requested after the webhook was enabled again.
 */
export const DROP = `
WITH disabled AS MATERIALIZED (
  SELECT id, ${DROPPED_TO} AS dropped_to FROM nestjs_emails.webhooks
  WHERE id = ANY($1::uuid[]) AND (dropped_to > 0 OR status = 'disabled')
),
found AS MATERIALIZED (
  SELECT d.id, e.seq FROM disabled d CROSS JOIN LATERAL (
    SELECT e.seq FROM nestjs_emails.webhook_events e
    WHERE e.webhook_id = d.id AND e.due_at IS NOT NULL AND e.seq <= d.dropped_to
    ORDER BY e.due_at, e.seq LIMIT $2 FOR UPDATE SKIP LOCKED
  ) AS e
),
dropped AS (
  UPDATE nestjs_emails.webhook_events e SET due_at = NULL,
    status = CASE e.status WHEN 'success' THEN 'success' ELSE 'failed' END
  FROM found WHERE e.webhook_id = found.id AND e.seq = found.seq
)
SELECT id FROM disabled WHERE id NOT IN (SELECT id FROM found)`;

/**
 * $1: webhooks. Clears the mark that they were disabled, so that no more events are searched. Locked ones are left for
 * a later call.
 */
export const FORGET_DROPPED = `
WITH free AS MATERIALIZED (
  SELECT id FROM nestjs_emails.webhooks WHERE id = ANY($1::uuid[]) AND dropped_to > 0 FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE nestjs_emails.webhooks w SET dropped_to = 0
WHERE w.id IN (SELECT id FROM free) AND NOT EXISTS (
  SELECT FROM nestjs_emails.webhook_events e
  WHERE e.webhook_id = w.id AND e.due_at IS NOT NULL AND e.seq <= w.dropped_to)`;

/** $1: webhook to start after. The next one with a non-empty log, deleted or not. */
export const NEXT_LOG = `
SELECT e.webhook_id AS id FROM nestjs_emails.webhook_events e WHERE e.webhook_id > $1::uuid ORDER BY e.webhook_id, e.seq LIMIT 1`;

/**
 * $1: webhook, $2: age in milliseconds, $3: limit. The oldest events that are no longer pending; of a deleted webhook,
 * any events. Locked rows are skipped.
 */
export const CLEAN = `
WITH webhook AS MATERIALIZED (
  SELECT NOT EXISTS (SELECT FROM nestjs_emails.webhooks WHERE id = $1) AS "isDeleted"
),
over AS MATERIALIZED (
  SELECT e.seq, e.recorded_at FROM nestjs_emails.webhook_events e
  WHERE e.webhook_id = $1 AND ((e.due_at IS NULL AND e.replays = 0) OR (SELECT "isDeleted" FROM webhook))
  ORDER BY e.seq LIMIT $3 FOR UPDATE SKIP LOCKED
),
old AS MATERIALIZED (
  SELECT seq FROM over WHERE recorded_at < now() - $2::float8 * ${MILLISECOND} OR (SELECT "isDeleted" FROM webhook)
),
attempts AS (
  DELETE FROM nestjs_emails.webhook_attempts WHERE webhook_id = $1 AND event_seq IN (SELECT seq FROM old)
),
gone AS (
  DELETE FROM nestjs_emails.webhook_events WHERE webhook_id = $1 AND seq IN (SELECT seq FROM old) RETURNING 1
)
SELECT count(*)::integer AS count FROM gone`;

/** Ids of the keys that secrets are encrypted with, and the number of webhooks with each. */
export const KEYS = `
SELECT s->>'key' AS key, count(DISTINCT id)::integer AS count
FROM nestjs_emails.webhooks, jsonb_array_elements(secrets) AS s
WHERE s->>'until' IS NULL GROUP BY 1`;

/** $1: limit of the count. */
export const WAITING = `
SELECT count(*)::integer AS count, coalesce(extract(epoch FROM now() - min(recorded_at))::float8 * 1000, 0) AS "oldestAge"
FROM (
  SELECT recorded_at FROM nestjs_emails.webhook_events WHERE due_at IS NOT NULL ORDER BY webhook_id, due_at, seq LIMIT $1
) AS waiting`;

/** $1: account, $2: key of an address, $3: before, $4: how many. */
const findPerson = (locked: 'SKIP LOCKED' | '') => `
SELECT webhook_id AS "webhookId", seq, payload_id AS "payloadId" FROM nestjs_emails.webhook_events
WHERE people @> ARRAY[${personHash('$2', '$1')}] AND account_id = $1 AND recorded_at < $3 LIMIT $4 FOR NO KEY UPDATE ${locked}`;

export const FIND_PERSON = findPerson('SKIP LOCKED');
/** Waits for locked rows. */
export const FIND_LOCKED_PERSON = findPerson('');

/** $1: account, $2: keys of emails, $3: webhook and $4: number to start after, $5: limit. */
export const FIND_EMAILS = `
SELECT webhook_id AS "webhookId", seq, payload_id AS "payloadId" FROM nestjs_emails.webhook_events
WHERE people && ARRAY(SELECT ${personHash('key', '$1::text')} FROM unnest($2::text[]) AS key) AND account_id = $1
  AND (webhook_id, seq) > ($3::uuid, $4::bigint) ORDER BY webhook_id, seq LIMIT $5 FOR NO KEY UPDATE`;

/** Timeout of a wait for a locked row, because other erasures are waiting. */
export const BOUND = `SET LOCAL lock_timeout = '500ms'`;

/** $1: JSON array of webhook, number and payload with its id and recipient, $2: account, $3: key to remove from them, or null. */
export const REWRITE = `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(
    "webhookId" uuid, seq bigint, "payloadId" bigint, payload text, recipient text)
),
answers AS (
  UPDATE nestjs_emails.webhook_attempts a SET response = '' FROM input i
  WHERE a.webhook_id = i."webhookId" AND a.event_seq = i.seq
),
shared AS (
  UPDATE nestjs_emails.webhook_payloads p SET body = i.payload,
    recipient = CASE WHEN p.recipient IS NOT NULL THEN i.recipient END
  FROM input i WHERE p.id = i."payloadId"
)
UPDATE nestjs_emails.webhook_events e SET people = array_remove(e.people, ${personHash('$3', '$2')})
FROM input i WHERE e.webhook_id = i."webhookId" AND e.seq = i.seq`;
