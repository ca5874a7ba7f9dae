import { PAYLOAD } from './payload.sql.js';

/** True if an event `e` of a webhook `w` still matches the request `i`. */
const IS_DUE = `w.fence = i.fence AND w.status = 'enabled' AND w.leased_until > now() AND w.endpoint = i.endpoint
  AND CASE WHEN i.replay THEN e.replays > 0 ELSE e.due_at IS NOT NULL AND e.seq > w.dropped_to END`;

const OF_INPUT = `JOIN nestjs_emails.webhooks w ON w.id = i."webhookId"
  JOIN nestjs_emails.webhook_events e ON e.webhook_id = i."webhookId" AND e.seq = i.seq`;

/**
 * $1: JSON array of `MessageKey`. Locks the rows of the events to be sent, so that until the end of the transaction no
 * webhook is disabled, changed or deleted, and no person is erased from a payload. Returns for each missing row whether
 * another transaction has it locked. The commit need not reach the disk: nothing is written.
 */
export const LOCK_MESSAGES = `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(
    place integer, "webhookId" uuid, fence integer, endpoint text, seq bigint, replay boolean)
),
locked AS MATERIALIZED (
  SELECT i.place, w.secrets FROM input i ${OF_INPUT} WHERE ${IS_DUE}
  FOR KEY SHARE OF w SKIP LOCKED FOR SHARE OF e SKIP LOCKED
)
SELECT locked.secrets,
  locked.place IS NULL AND EXISTS (SELECT FROM nestjs_emails.webhooks w
    JOIN nestjs_emails.webhook_events e ON e.webhook_id = w.id
    WHERE w.id = i."webhookId" AND e.seq = i.seq AND ${IS_DUE}) AS "isLocked",
  set_config('synchronous_commit', 'off', true)
FROM input i LEFT JOIN locked ON locked.place = i.place ORDER BY i.place`;

/** $1: webhooks, $2: numbers of events, whose rows the transaction has locked. The payload of each, in this order. */
export const PAYLOADS = `
SELECT ${PAYLOAD} AS payload FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS asked(webhook_id, seq, place)
JOIN nestjs_emails.webhook_events e ON e.webhook_id = asked.webhook_id AND e.seq = asked.seq ORDER BY place`;
