import { FIRST_STATE, type MovedBy } from '../../states/email-states.js';
import { DELAYED, PENDING } from './pending.sql.js';

/*
 * Changes that are not made by a worker. Each is a transaction about one email, in two statements. The first locks the
 * rows to be written, without waiting. The second sees everything committed by then, attempts included, and moves the
 * email if that is still allowed. Hand-written because TypeORM cannot lock the rows of two tables in one statement. For
 * the use of `coalesce` see `delivery.sql.ts`.
 */

const SCHEDULED = `'${FIRST_STATE.later}'`;
const CANCELED = `'${'canceled' satisfies MovedBy<'change'>}'`;

/** States of recipients that were not sent to. */
const NOT_SENT_TO = `('pending', ${DELAYED}, 'suppressed', 'refused')`;

/** Limits the wait for locks other than row locks, and the time that a stalled process can hold locks. */
export const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '2s';
SET LOCAL idle_in_transaction_session_timeout = '5s'`;

/**
 * $1: account, $2: email. Returns whether its rows are locked by this transaction; false when another transaction has
 * locked them. No row: there is no such email.
 *
 * @param strength lock strength on the email: `KEY SHARE` for an event that refers to it, more for a change of it
 * @param account condition that the email's account must meet
 */
const lock = (strength: 'KEY SHARE' | 'NO KEY UPDATE', account = 'e.account_id = $1') => `
WITH locked AS MATERIALIZED (
  SELECT e.id FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
  WHERE e.id = $2 AND ${account} FOR UPDATE OF d SKIP LOCKED FOR ${strength} OF e SKIP LOCKED
)
SELECT e.id IN (SELECT id FROM locked) AS free FROM nestjs_emails.emails e WHERE e.id = $2 AND ${account}`;

export const LOCK = lock('KEY SHARE');
export const LOCK_ALL = lock('NO KEY UPDATE');
/** $1: account, or null for any account. */
export const LOCK_REPORTED = lock('KEY SHARE', '($1::text IS NULL OR e.account_id = $1)');

const attemptThat = (condition: string) =>
  `EXISTS (SELECT FROM nestjs_emails.attempts a WHERE a.email_id = d.email_id AND ${condition})`;

/** The result of a change: the former state, the obstacle, and the changed row if there is one. */
const CHANGE = `
SELECT before.last_event AS "lastEvent", before.obstacle, moved.fence,
  moved.bulk IS TRUE AS "isBulk",
  CASE WHEN isfinite(moved.due_at)
    THEN greatest(extract(epoch FROM moved.due_at - clock_timestamp()) * 1000, 0)::float8 END AS delay`;
const RECORDED = `recorded.id::text AS "eventId", extract(epoch FROM recorded.occurred_at)::float8 * 1000 AS "eventAt"`;

/**
 * $1: email. Cancels a scheduled email, and a delayed one while no attempt runs and no recipient was sent to. A worker
 * that has leased it without an attempt comes too late: the fence has moved.
 */
export const CANCEL = `
WITH before AS MATERIALIZED (
  SELECT d.last_event, CASE WHEN d.last_event <> ${DELAYED} THEN NULL
    WHEN ${attemptThat('a.finished_at IS NULL')} THEN 'under way'
    WHEN ${attemptThat('a.unknown')} THEN 'unclear'
    WHEN EXISTS (SELECT FROM jsonb_array_elements(d.recipients) r WHERE r->>'status' NOT IN ${NOT_SENT_TO}) THEN 'sent'
  END AS obstacle
  FROM nestjs_emails.deliveries d WHERE d.email_id = $1
),
moved AS (
  UPDATE nestjs_emails.deliveries d
  SET last_event = ${CANCELED}, due_at = NULL, fence = d.fence + 1, waits_for = NULL, recipients = (
    SELECT coalesce(jsonb_agg(CASE WHEN r->>'status' IN ${PENDING} THEN jsonb_set(r, '{status}', '"canceled"') ELSE r END ORDER BY at), '[]')
    FROM jsonb_array_elements(d.recipients) WITH ORDINALITY AS list(r, at))
  FROM before
  WHERE d.email_id = $1 AND (before.last_event = ${SCHEDULED} OR (before.last_event = ${DELAYED} AND before.obstacle IS NULL))
  RETURNING d.email_id, d.fence, d.due_at, d.bulk
),
recorded AS (
  INSERT INTO nestjs_emails.events (email_id, type) SELECT email_id, ${CANCELED} FROM moved RETURNING id, occurred_at
)
${CHANGE}, ${RECORDED} FROM before LEFT JOIN moved ON true LEFT JOIN recorded ON true`;

/**
 * $1: email, $2: time. Nothing changes if the email has this time already. A time in the past means now, which then
 * becomes the date of the message.
 */
export const RESCHEDULE = `
WITH before AS MATERIALIZED (
  SELECT d.last_event, NULL AS obstacle, e.scheduled_at
  FROM nestjs_emails.deliveries d JOIN nestjs_emails.emails e ON e.id = d.email_id WHERE d.email_id = $1
),
moved AS (
  UPDATE nestjs_emails.deliveries d SET due_at = greatest($2::timestamptz, now()), fence = d.fence + 1 FROM before
  WHERE d.email_id = $1 AND before.last_event = ${SCHEDULED} AND before.scheduled_at IS DISTINCT FROM $2::timestamptz
  RETURNING d.email_id, d.fence, d.due_at, d.bulk
),
dated AS (
  UPDATE nestjs_emails.emails e SET scheduled_at = moved.due_at FROM moved WHERE e.id = moved.email_id
),
recorded AS (
  INSERT INTO nestjs_emails.events (email_id, type) SELECT email_id, ${SCHEDULED} FROM moved RETURNING id, occurred_at
)
${CHANGE}, ${RECORDED} FROM before LEFT JOIN moved ON true LEFT JOIN recorded ON true`;

/**
 * $1: email. Makes a delayed email due now, unless an attempt runs, and with it all of its pending recipients. Nothing changes
 * if it is due already.
 */
export const RETRY = `
WITH before AS MATERIALIZED (
  SELECT d.last_event, CASE WHEN ${attemptThat('a.finished_at IS NULL')} THEN 'under way' END AS obstacle
  FROM nestjs_emails.deliveries d WHERE d.email_id = $1
),
moved AS (
  UPDATE nestjs_emails.deliveries d
  SET due_at = now(), fence = d.fence + 1, waits_for = NULL, recipients = (
    SELECT coalesce(jsonb_agg(r - 'retryAge' ORDER BY at), '[]')
    FROM jsonb_array_elements(d.recipients) WITH ORDINALITY AS list(r, at))
  FROM before
  WHERE d.email_id = $1 AND before.last_event = ${DELAYED} AND before.obstacle IS NULL
    AND coalesce(d.due_at, '-infinity') > now()
  RETURNING d.fence, d.due_at, d.bulk
)
${CHANGE}, NULL AS "eventId", NULL AS "eventAt" FROM before LEFT JOIN moved ON true`;

/**
 * $1: email, whose rows the transaction has locked. `isSplit`: an attempt runs, and it is sent as one message for each recipient. `reported`: the events of earlier reports. */
export const REPORTED = `
SELECT e.account_id AS "accountId", d.recipients, d.last_event AS "lastEvent", d.attempts,
  ${attemptThat('a.finished_at IS NULL')} AS "isUnderWay", ${attemptThat('a.finished_at IS NULL AND a.message > 0')} AS "isSplit",
  ARRAY(SELECT json_build_object('type', v.type, 'recipient', v.recipient, 'source', v.source, 'reason', v.reason,
      'reasonCode', v.reason_code)
    FROM nestjs_emails.events v WHERE v.email_id = e.id AND v.source IS NOT NULL) AS reported
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id WHERE e.id = $1`;

/**
 * $1: email, $2: index of the recipient, or null without one, $3: its state, or null if unchanged, $4: state of the email, $5: whether a
 * recipient is still pending, $6: JSON of the event. The fence of a pending email moves: a worker that has leased it
 * without an attempt comes too late.
 */
export const REPORT = `
WITH moved AS (
  UPDATE nestjs_emails.deliveries d
  SET recipients = jsonb_set(d.recipients, ARRAY[$2::text, 'status'], to_jsonb($3::text)), last_event = $4,
    fence = CASE WHEN d.due_at IS NULL THEN d.fence ELSE d.fence + 1 END, due_at = CASE WHEN $5 THEN d.due_at END,
    waits_for = NULL
  WHERE d.email_id = $1 AND $3::text IS NOT NULL
  RETURNING d.fence, d.due_at, d.bulk
),
recorded AS (
  INSERT INTO nestjs_emails.events (email_id, type, recipient, reason, reason_code, bounce, source)
  SELECT $1::uuid, e.type, e.recipient, e.reason, e."reasonCode", e.bounce, e.source
  FROM json_to_record($6::json) AS e(type text, recipient text, reason text, "reasonCode" text, bounce jsonb, source text)
  RETURNING id, occurred_at
)
SELECT moved.fence, moved.bulk IS TRUE AS "isBulk", CASE WHEN isfinite(moved.due_at)
    THEN greatest(extract(epoch FROM moved.due_at - clock_timestamp()) * 1000, 0)::float8 END AS delay, ${RECORDED}
FROM recorded LEFT JOIN moved ON true`;
