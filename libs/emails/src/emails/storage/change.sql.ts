import { FIRST_STATE, type MovedBy } from '../states/email-states.js';

/*
 * Moves that no worker makes. Each is a transaction about one email, in two statements: the first locks the rows that are
 * going to be written, and waits for nobody; the second sees all that was committed by then, attempts included, and moves
 * the email where that may still be. Of `coalesce` see `delivery.sql.ts`.
 */

const SCHEDULED = `'${FIRST_STATE.later}'`;
const DELAYED = `'${'delivery_delayed' satisfies MovedBy<'deliver'>}'`;
const CANCELED = `'${'canceled' satisfies MovedBy<'change'>}'`;

/** How recipients stand who are still owed, and those who never will be. To all others it was sent. */
const OWED = `('pending', ${DELAYED})`;
const NOT_SENT_TO = `('pending', ${DELAYED}, 'suppressed')`;

/** For how long locks are waited for that no row has, and kept by a process that stands still. */
export const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '2s';
SET LOCAL idle_in_transaction_session_timeout = '5s'`;

/**
 * $1: account, $2: email. Says whether its rows are this transaction's now, or somebody has them locked. No row: there is no
 * such email.
 *
 * @param strength as much as an event that refers to the email needs, or what a change of it does
 */
const lock = (strength: 'KEY SHARE' | 'NO KEY UPDATE') => `
WITH locked AS MATERIALIZED (
  SELECT e.id FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
  WHERE e.id = $2 AND e.account_id = $1 FOR UPDATE OF d SKIP LOCKED FOR ${strength} OF e SKIP LOCKED
)
SELECT id IN (SELECT id FROM locked) AS free FROM nestjs_emails.emails WHERE id = $2 AND account_id = $1`;

export const LOCK = lock('KEY SHARE');
export const LOCK_ALL = lock('NO KEY UPDATE');

const attemptThat = (condition: string) =>
  `EXISTS (SELECT FROM nestjs_emails.attempts a WHERE a.email_id = d.email_id AND ${condition})`;

/** What is told of an email: how it stood, what was in the way, and what was changed, if anything was. */
const TOLD = `
SELECT before.last_event AS "lastEvent", before.obstacle, moved.fence,
  CASE WHEN moved.due_at IS NOT NULL
    THEN greatest(extract(epoch FROM moved.due_at - clock_timestamp()) * 1000, 0)::float8 END AS delay`;
const RECORDED = `recorded.id::text AS "eventId", extract(epoch FROM recorded.occurred_at)::float8 * 1000 AS "eventAt"`;

/**
 * $1: email. One that waits for its time is canceled, and a delayed one as long as no attempt runs and nobody was sent to.
 * Whoever leased it and has made no attempt yet comes too late: the fence has moved.
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
  SET last_event = ${CANCELED}, due_at = NULL, fence = d.fence + 1, waits_for = NULL, waits_since = NULL, recipients = (
    SELECT coalesce(jsonb_agg(CASE WHEN r->>'status' IN ${OWED} THEN jsonb_set(r, '{status}', '"canceled"') ELSE r END ORDER BY at), '[]')
    FROM jsonb_array_elements(d.recipients) WITH ORDINALITY AS list(r, at))
  FROM before
  WHERE d.email_id = $1 AND (before.last_event = ${SCHEDULED} OR (before.last_event = ${DELAYED} AND before.obstacle IS NULL))
  RETURNING d.email_id, d.fence, d.due_at
),
recorded AS (
  INSERT INTO nestjs_emails.events (email_id, type) SELECT email_id, ${CANCELED} FROM moved RETURNING id, occurred_at
)
${TOLD}, ${RECORDED} FROM before LEFT JOIN moved ON true LEFT JOIN recorded ON true`;

/**
 * $1: email, $2: when. Nothing is changed where that is its time already. A time in the past stands for now, which is then
 * the date of the message.
 */
export const RESCHEDULE = `
WITH before AS MATERIALIZED (
  SELECT d.last_event, NULL AS obstacle, e.scheduled_at
  FROM nestjs_emails.deliveries d JOIN nestjs_emails.emails e ON e.id = d.email_id WHERE d.email_id = $1
),
moved AS (
  UPDATE nestjs_emails.deliveries d SET due_at = greatest($2::timestamptz, now()), fence = d.fence + 1 FROM before
  WHERE d.email_id = $1 AND before.last_event = ${SCHEDULED} AND before.scheduled_at IS DISTINCT FROM $2::timestamptz
  RETURNING d.email_id, d.fence, d.due_at
),
dated AS (
  UPDATE nestjs_emails.emails e SET scheduled_at = moved.due_at FROM moved WHERE e.id = moved.email_id
),
recorded AS (
  INSERT INTO nestjs_emails.events (email_id, type) SELECT email_id, ${SCHEDULED} FROM moved RETURNING id, occurred_at
)
${TOLD}, ${RECORDED} FROM before LEFT JOIN moved ON true LEFT JOIN recorded ON true`;

/** $1: email. A delayed one is due now, unless an attempt runs; nothing is changed where it is due already. */
export const RETRY = `
WITH before AS MATERIALIZED (
  SELECT d.last_event, CASE WHEN ${attemptThat('a.finished_at IS NULL')} THEN 'under way' END AS obstacle
  FROM nestjs_emails.deliveries d WHERE d.email_id = $1
),
moved AS (
  UPDATE nestjs_emails.deliveries d
  SET due_at = now(), fence = d.fence + 1, waits_for = NULL, waits_since = NULL FROM before
  WHERE d.email_id = $1 AND before.last_event = ${DELAYED} AND before.obstacle IS NULL
    AND coalesce(d.due_at, '-infinity') > now()
  RETURNING d.fence, d.due_at
)
${TOLD}, NULL AS "eventId", NULL AS "eventAt" FROM before LEFT JOIN moved ON true`;
