import { transportHash } from '../email-terms.js';
import type { Locked } from './delivery.sql.js';
import { AFTER_LOCKED_PAUSE, ANY_PAUSE, PAUSES_OF_EMAIL } from './pause.sql.js';

/*
 * The end of a lease: see `delivery.sql.ts` for locks and for the use of `coalesce`.
 */

/** The parts of `close` that are about attempts. */
interface ClosedAttempts {
  /** Further fields of an end. */
  fields: string;
  /** Attempts to be closed. */
  open: string;
  /** Ends whose attempts could be locked. */
  ending: string;
  closed: string;
}

/** The one attempt of the lease, if there is one. */
const ATTEMPT: ClosedAttempts = {
  fields: '',
  open: `SELECT a.email_id AS id FROM locked JOIN nestjs_emails.attempts a ON a.email_id = locked.id AND a.fence = locked.fence
  ORDER BY a.email_id`,
  ending: `SELECT locked.id FROM locked
  LEFT JOIN nestjs_emails.attempts a ON a.email_id = locked.id AND a.fence = locked.fence
  WHERE (a.email_id IS NULL OR a.email_id IN (SELECT id FROM open))`,
  closed: `UPDATE nestjs_emails.attempts a
  SET finished_at = clock_timestamp(), outcomes = input.outcomes, unknown = input."endUnknown"
  FROM input JOIN moved USING (id) WHERE a.email_id = input.id AND a.fence = input.fence`,
};

/**
 * The attempts of the lease, one for each message, and those of an earlier lease that ended before their worker died. Outcomes
 * that are written already stay.
 */
const ATTEMPTS: ClosedAttempts = {
  fields: ', messages jsonb',
  open: `SELECT a.email_id AS id, a.fence, a.message, a.outcomes FROM locked JOIN nestjs_emails.attempts a ON a.email_id = locked.id
  WHERE a.finished_at IS NULL ORDER BY a.email_id, a.fence, a.message`,
  ending: `SELECT locked.id FROM locked
  WHERE NOT EXISTS (SELECT FROM nestjs_emails.attempts a WHERE a.email_id = locked.id AND a.finished_at IS NULL
    AND (a.email_id, a.fence, a.message) NOT IN (SELECT id, fence, message FROM open))`,
  closed: `UPDATE nestjs_emails.attempts a
  SET finished_at = clock_timestamp(), outcomes = done.outcomes,
    unknown = coalesce(done.outcomes @> '[{"outcome": "unknown"}]', false)
  FROM (
    SELECT open.id, open.fence, open.message, coalesce(open.outcomes, m.outcomes) AS outcomes
    FROM open JOIN moved USING (id) JOIN input USING (id)
    LEFT JOIN LATERAL jsonb_to_recordset(input.messages) AS m(message smallint, outcomes jsonb)
      ON open.fence = input.fence AND open.message = m.message
  ) AS done
  WHERE a.email_id = done.id AND a.fence = done.fence AND a.message = done.message`,
};

/**
 * $1: JSON array of `LeaseEnd`. Closes the attempt and moves the delivery if the lease still holds. A worker that
 * outlived its lease changes nothing; neither does one that repeats its call after a lost answer. The fence moves, so
 * that a late renewal changes nothing either. Returns for each email whether its lease ended and, if not, whether it is
 * still held and only locked by another transaction.
 *
 * An email that waits for paused transports is due at infinity if all of these pauses are still in force. Their ends wait
 * for this statement, and then see the email. It is due at once if one of them has ended, and after some seconds if the row of one
 * is locked, by its end for example.
 */
const close = (locked: Locked, { fields, open, ending, closed }: ClosedAttempts) => `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(
    id uuid, fence integer, attempts integer, recipients jsonb, "lastEvent" text, "retryIn" float8, outcomes jsonb,
    "endUnknown" boolean, events jsonb, "waitsFor" bigint, "dueFor" float8,
    "pausedTransports" text[], "isRouted" boolean${fields})
),
held AS MATERIALIZED (
  SELECT input.id FROM input JOIN nestjs_emails.deliveries d ON d.email_id = input.id AND d.fence = input.fence
  WHERE coalesce(d.due_at, '-infinity') > '-infinity'
),
locked AS MATERIALIZED (
  SELECT d.email_id AS id, d.fence, d.sensitive AND input."retryIn" IS NULL AS to_clear FROM nestjs_emails.deliveries d
  JOIN input ON d.email_id = input.id AND d.fence = input.fence
  JOIN nestjs_emails.emails e ON e.id = d.email_id
  WHERE coalesce(d.due_at, '-infinity') > '-infinity'
  ORDER BY d.email_id FOR UPDATE OF d ${locked} FOR KEY SHARE OF e ${locked}
),
clearable AS MATERIALIZED (
  SELECT e.id FROM locked JOIN nestjs_emails.emails e ON e.id = locked.id
  WHERE locked.to_clear ORDER BY e.id FOR NO KEY UPDATE OF e ${locked}
),
open AS MATERIALIZED (
  ${open} FOR UPDATE OF a ${locked}
),
ending AS MATERIALIZED (
  ${ending}
    AND (locked.to_clear IS NOT TRUE OR locked.id IN (SELECT id FROM clearable))
),
paused AS MATERIALIZED (
  SELECT e.id, p.scope, p.subject, p.transport FROM input JOIN ending USING (id) JOIN nestjs_emails.emails e ON e.id = input.id,
    LATERAL ${PAUSES_OF_EMAIL}
  WHERE ${ANY_PAUSE} AND p.transport = ANY(input."pausedTransports")
),
kept AS MATERIALIZED (
  SELECT paused.id, p.transport FROM paused JOIN nestjs_emails.pauses p USING (scope, subject, transport)
  FOR KEY SHARE OF p SKIP LOCKED
),
moved AS (
  UPDATE nestjs_emails.deliveries d
  SET recipients = input.recipients, last_event = input."lastEvent", attempts = input.attempts, fence = d.fence + 1,
    due_at = CASE WHEN input."pausedTransports" <@ ARRAY(SELECT transport FROM kept WHERE kept.id = input.id) THEN 'infinity'
      WHEN input."pausedTransports" <@ ARRAY(SELECT transport FROM paused WHERE paused.id = input.id) THEN ${AFTER_LOCKED_PAUSE}
      ELSE clock_timestamp() + input."retryIn" * interval '1 millisecond' END,
    waits_for = input."waitsFor",
    waits_from = CASE WHEN input."waitsFor" IS NOT NULL
      THEN clock_timestamp() - input."dueFor" * interval '1 millisecond' END
  FROM input JOIN ending USING (id) WHERE d.email_id = input.id
  RETURNING d.email_id AS id, d.account, d.seq
),
closed AS (
  ${closed}
),
recorded AS (
  INSERT INTO nestjs_emails.events (email_id, type, recipient, reason, reason_code, attempt, bounce, transport)
  SELECT input.id, e.type, e.recipient, e.reason, e."reasonCode", e.attempt, e.bounce, e.transport
  FROM input JOIN moved USING (id), jsonb_to_recordset(input.events) AS e(type text, recipient text, reason text,
    "reasonCode" text, attempt integer, bounce jsonb, transport text)
  RETURNING email_id, id, type, recipient, occurred_at, transport
),
found AS (
  INSERT INTO nestjs_emails.email_terms (term, seq)
  SELECT DISTINCT ${transportHash('recorded.transport', 'moved.account')}, moved.seq
  FROM input JOIN moved USING (id) JOIN recorded ON recorded.email_id = moved.id
  WHERE input."isRouted" AND recorded.transport IS NOT NULL
  ON CONFLICT DO NOTHING
),
announced AS (
  SELECT email_id AS id, jsonb_agg(jsonb_build_object('id', id::text, 'type', type, 'recipient', recipient,
    'at', extract(epoch FROM occurred_at) * 1000)) AS events
  FROM recorded GROUP BY email_id
)
SELECT id, id IN (SELECT id FROM moved) AS done, id IN (SELECT id FROM held) AS held, announced.events
FROM input LEFT JOIN announced USING (id)`;

export const CLOSE = close('SKIP LOCKED', ATTEMPT);
export const CLOSE_LOCKED = close('', ATTEMPT);

/** The same for ends of leases under which an email was sent as one message for each recipient. */
export const CLOSE_SPLIT = close('SKIP LOCKED', ATTEMPTS);
export const CLOSE_SPLIT_LOCKED = close('', ATTEMPTS);

/**
 * $1: JSON array of ended messages. Writes the outcomes of attempts that are still open, so that they are known if this
 * worker dies before its lease ends. Locked rows are skipped: the end of the lease writes them too.
 */
export const NOTE_OUTCOMES = `
WITH open AS MATERIALIZED (
  SELECT a.email_id, a.fence, a.message, input.outcomes
  FROM json_to_recordset($1::json) AS input(id uuid, fence integer, message smallint, outcomes jsonb)
  JOIN nestjs_emails.attempts a ON a.email_id = input.id AND a.fence = input.fence AND a.message = input.message
  WHERE a.finished_at IS NULL ORDER BY a.email_id, a.message FOR UPDATE OF a SKIP LOCKED
)
UPDATE nestjs_emails.attempts a SET outcomes = open.outcomes
FROM open WHERE a.email_id = open.email_id AND a.fence = open.fence AND a.message = open.message`;
