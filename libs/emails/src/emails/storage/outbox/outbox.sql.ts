/*
 * Hand-written because the hand-over locks, reads and marks many events at once: with a webhook endpoint, delivery
 * keeps 0.85 of its rate (docs/bench.md, `webhooks-delivery`).
 */

/** Advisory-lock namespace of the hand-over (`outb` in ASCII). */
const HANDING_OVER = 0x6f75_7462;

/** Limits the wait for locks, and the time that a stalled subscriber can hold the transaction. Milliseconds. */
export const BOUND = (
  patience: number,
) => `SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '${patience}ms';
SET LOCAL idle_in_transaction_session_timeout = '${patience + 5_000}ms'`;

/** $1: subscriber. Whether this transaction is the one that hands over to it, until its end. */
export const TAKE_TURN = `SELECT pg_try_advisory_xact_lock(hashtextextended($1, ${HANDING_OVER})) AS mine`;

/** $1: subscriber. */
export const FORGET = 'DELETE FROM nestjs_emails.event_subscriptions WHERE subscriber = $1';

/** Larger than every number. */
const NONE = '9223372036854775807';
/** Condition of undecided events, by an index. */
const UNDECIDED = 'subscriber IS NULL AND put_off_until IS NULL';
export const IS_READY = 'subscriber = $1 AND put_off_until IS NULL';
export const IS_PUT_OFF = 'subscriber = $1 AND put_off_until IS NOT NULL';
/** The time has come, or is further away than the longest delay: then a clock that was ahead wrote it. */
export const IS_DUE = "(put_off_until <= now() OR put_off_until > now() + interval '2 hours')";
/** Up to this number, new events of one look are read in the order of an index. More of them are read in any order. */
const RECENT = 1_000;

/** Rows since the last look. @param order order and limit in SQL. Default: all, unordered */
const recent = (order = '') => `
  (SELECT subscriber, event_id FROM nestjs_emails.event_outbox
   WHERE put_off_until IS NULL AND xid >= pg_snapshot_xmax($2::pg_snapshot) ${order})
  UNION ALL
  (SELECT r.subscriber, r.event_id FROM pg_snapshot_xip($2::pg_snapshot) AS ended(xid) CROSS JOIN LATERAL (
     SELECT subscriber, event_id FROM nestjs_emails.event_outbox
     WHERE put_off_until IS NULL AND xid BETWEEN ended.xid AND ended.xid ${order}) AS r
   WHERE pg_visible_in_snapshot(ended.xid, pg_current_snapshot()))`;

/** The smallest number of an event from the last look's place on, or among new rows, which may be smaller. */
const next = (which: string, from: string, isNew: string) => `least(
    (SELECT event_id FROM nestjs_emails.event_outbox WHERE ${which} AND event_id >= ${from} ORDER BY event_id LIMIT 1),
    CASE WHEN (SELECT count(*) FROM recent) < ${RECENT} THEN (SELECT min(event_id) FROM recent WHERE ${isNew})
      ELSE (SELECT min(event_id) FROM (${recent()}) AS recent WHERE ${isNew}) END)`;

/**
 * Where a subscriber's events begin, and the undecided ones. While an old snapshot is held, an index keeps an entry for
 * every event that was handed over; a look from the first entry would read all of them. So it begins at the place that
 * the last look found. An event with a smaller number appears only when its transaction ends after that look: such
 * transactions are newer than its snapshot ($2), or were running in it. Running transactions are skipped, because a
 * large one has many entries.
 *
 * $1: subscriber, $2: snapshot of the last look, or null, $3: where the subscriber's events began then, $4: where the
 * undecided ones began.
 */
export const PLACES = `
recent AS MATERIALIZED (${recent(`ORDER BY xid LIMIT ${RECENT}`)}
),
places AS MATERIALIZED (
  SELECT ${next(IS_READY, '$3::bigint', 'subscriber = $1')} AS ready,
    ${next(UNDECIDED, '$4::bigint', 'subscriber IS NULL')} AS undecided
)`;

/** No delayed event has an earlier time. @param from result of the last look, or null */
const sinceLastLook = (from: string) => `put_off_until >= coalesce(${from}::timestamptz, '-infinity')`;
/** The latest time among those that a clock ahead wrote. */
const LAST_AHEAD = `
  SELECT id, email_id FROM nestjs_emails.event_outbox
  WHERE subscriber = $1 AND put_off_until > now() + interval '2 hours' ORDER BY put_off_until DESC, event_id DESC LIMIT 1`;
/** The first due event by time, read from the ends of an index. $3: time from which to look, or null. */
export const FIRST_DUE = `(
  (SELECT id, email_id FROM nestjs_emails.event_outbox
   WHERE subscriber = $1 AND put_off_until <= now() AND ${sinceLastLook('$3')} ORDER BY put_off_until, event_id LIMIT 1)
  UNION ALL (${LAST_AHEAD})
  LIMIT 1)`;

/** $1: subscriber, $2: limit. */
export const DISCARD = `
WITH gone AS (
  DELETE FROM nestjs_emails.event_outbox WHERE id = ANY(ARRAY(
    (SELECT id FROM nestjs_emails.event_outbox WHERE ${IS_READY} ORDER BY event_id LIMIT $2)
    UNION ALL (SELECT id FROM nestjs_emails.event_outbox WHERE ${IS_PUT_OFF} ORDER BY put_off_until LIMIT $2))) RETURNING 1
)
SELECT count(*)::integer AS count FROM gone`;

/**
 * $1 to $4: as for `PLACES`, $5: time from which to look for delayed events, or null. Returns the pending work, and
 * where the next look begins. Times come from the clocks of several writers, so the next look begins a minute earlier.
 */
export const LOOK = `
WITH ${PLACES},
put_off AS MATERIALIZED (
  SELECT (SELECT put_off_until FROM nestjs_emails.event_outbox WHERE ${IS_PUT_OFF} AND ${sinceLastLook('$5')}
    ORDER BY put_off_until LIMIT 1) AS next
)
SELECT EXISTS (SELECT FROM nestjs_emails.event_subscriptions WHERE subscriber = $1) AS subscribed,
  undecided IS NOT NULL AS undecided, ready IS NOT NULL AS ready,
  coalesce(next <= now(), false) OR EXISTS (${LAST_AHEAD}) AS due,
  coalesce(ready, ${NONE})::text AS "readyFrom", coalesce(undecided, ${NONE})::text AS "undecidedFrom",
  (least(next, now()) - interval '1 minute')::text AS "dueFrom", pg_current_snapshot()::text AS snapshot,
  coalesce(pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax($2::pg_snapshot), false) AS "isOfAnother"
FROM places, put_off`;

/** Names of the subscribers. */
export const SUBSCRIBERS = 'SELECT DISTINCT subscriber FROM nestjs_emails.event_subscriptions';

/** Accounts per statement. */
const ACCOUNTS = 10;
const nextAccount = (after: string) => `
  SELECT account_id FROM nestjs_emails.event_outbox WHERE ${UNDECIDED} AND event_id >= $2::bigint ${after}
  ORDER BY account_id, event_id LIMIT 1`;

/**
 * $1: limit per account, $2: where the undecided events begin. Each event goes to the subscriptions that were requested
 * before it was recorded: those have no larger number. The accounts take turns, so that no account waits for the
 * backlog of another. Returns the number of events.
 */
export const DISTRIBUTE = `
WITH RECURSIVE accounts(id) AS (
  (${nextAccount('')})
  UNION ALL
  SELECT (${nextAccount('AND account_id > a.id')}) FROM accounts a WHERE a.id IS NOT NULL
),
turn AS MATERIALIZED (SELECT id FROM accounts WHERE id IS NOT NULL ORDER BY random() LIMIT ${ACCOUNTS}),
taken AS (
  DELETE FROM nestjs_emails.event_outbox WHERE id = ANY(ARRAY(
    SELECT o.id FROM turn CROSS JOIN LATERAL (
      SELECT id FROM nestjs_emails.event_outbox
      WHERE ${UNDECIDED} AND account_id = turn.id AND event_id >= $2::bigint
      ORDER BY event_id LIMIT $1 FOR UPDATE SKIP LOCKED) AS o))
  RETURNING *
),
given AS (
  INSERT INTO nestjs_emails.event_outbox (subscription_id, subscriber, account_id, event_id, email_id, type, data, occurred_at)
  SELECT s.id, s.subscriber, t.account_id, t.event_id, t.email_id, t.type, t.data, t.occurred_at
  FROM taken t JOIN nestjs_emails.event_subscriptions s
    ON coalesce(s.account_id, t.account_id) = t.account_id AND (s.types IS NULL OR t.type = ANY(s.types))
  WHERE s.id <= t.newest_subscription
)
SELECT count(*)::integer AS count FROM taken`;

/** $1: ids, $2: the transaction in which they were read. Does nothing in another transaction. */
export const DONE = `
WITH done AS (
  DELETE FROM nestjs_emails.event_outbox
  WHERE id = ANY($1::bigint[]) AND pg_current_xact_id_if_assigned()::text = $2
)
SELECT pg_current_xact_id_if_assigned()::text = $2 AS same`;

/** $1: ids of rows of emails that have a delayed event. They become due together with it. */
export const PUT_BEHIND = `
UPDATE nestjs_emails.event_outbox o SET put_off_until = (
  SELECT max(put_off_until) FROM nestjs_emails.event_outbox p
  WHERE p.email_id = o.email_id AND p.subscriber = o.subscriber AND p.put_off_until IS NOT NULL)
WHERE id = ANY($1::bigint[])`;

/** $1: row, $2, $3: first and longest delay, in milliseconds. Includes events that already wait behind it. */
export const PUT_OFF = `
WITH first AS (
  UPDATE nestjs_emails.event_outbox SET failures = failures + 1,
    put_off_until = now() + least($2::float8 * 2 ^ least(failures, 30), $3::float8) * interval '1 millisecond'
  WHERE id = $1::bigint RETURNING id, email_id, subscriber, put_off_until
)
UPDATE nestjs_emails.event_outbox o SET put_off_until = first.put_off_until FROM first
WHERE o.email_id = first.email_id AND o.subscriber = first.subscriber AND o.put_off_until IS NOT NULL AND o.id <> first.id`;

/** $1: limit of the count per subscriber. */
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

/** Waits until every running hand-over has ended, and blocks new ones. */
export const HOLD_UP = `
SELECT pg_advisory_xact_lock(hashtextextended(subscriber, ${HANDING_OVER})) FROM (${SUBSCRIBERS} ORDER BY 1) AS s`;

/**
 * $1: account, $2: address key, $3: upper limit of the time, $4: limit. Finds waiting events that contain the address
 * and belong to no email.
 */
export const FIND_PERSON = `
SELECT id::text AS id, data FROM nestjs_emails.event_outbox o
WHERE account_id = $1 AND data IS NOT NULL AND strpos(lower(data::text), $2) > 0
  AND (occurred_at < $3 OR type LIKE '%.deleted')
ORDER BY o.id LIMIT $4`;

/** $1: JSON array of rows. */
export const REWRITE = `
UPDATE nestjs_emails.event_outbox o SET data = r.data FROM json_to_recordset($1::json) AS r(id bigint, data jsonb)
WHERE o.id = r.id`;
