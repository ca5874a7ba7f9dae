import { PAYLOAD } from './payload.sql.js';

/** True for an event `e` that was dropped with its webhook `w`, even if its row does not show it yet. */
const STATUS = `CASE WHEN e.due_at IS NOT NULL AND (e.seq <= w.dropped_to OR w.status = 'disabled') THEN 'failed' ELSE e.status END`;
const DUE_AT = `CASE WHEN e.seq > w.dropped_to AND w.status = 'enabled' THEN e.due_at END`;

/** $1: account, $2: webhook. */
export const FIND_WEBHOOK = 'SELECT status FROM nestjs_emails.webhooks WHERE account_id = $1 AND id = $2';

/** $1: webhook, $2: limit, $3: event to start after, or null. Newest first. */
export const PAGE = `
SELECT e.event_id AS "eventId", e.type, e.created_at AS "createdAt", ${STATUS} AS status
FROM nestjs_emails.webhook_events e JOIN nestjs_emails.webhooks w ON w.id = e.webhook_id
WHERE e.webhook_id = $1 AND e.seq < coalesce(
  (SELECT seq FROM nestjs_emails.webhook_events WHERE webhook_id = $1 AND event_id = $3), 9223372036854775807)
ORDER BY e.seq DESC LIMIT $2`;

/** $1: webhook, $2: event. */
export const FIND = `
SELECT e.event_id AS "eventId", e.type, e.created_at AS "createdAt", ${STATUS} AS status, ${DUE_AT} AS "dueAt", ${PAYLOAD} AS payload
FROM nestjs_emails.webhook_events e JOIN nestjs_emails.webhooks w ON w.id = e.webhook_id
WHERE e.webhook_id = $1 AND e.event_id = $2`;

const ATTEMPTS_OF = `
  FROM nestjs_emails.webhook_events e JOIN nestjs_emails.webhook_attempts a
    ON a.webhook_id = e.webhook_id AND a.event_seq = e.seq
  WHERE e.webhook_id = $1 AND e.event_id = $2`;

/** $1: webhook, $2: event, $3: limit, $4: number of the attempt to start after, or null. Newest first. */
export const ATTEMPTS = `
SELECT a.attempt_id AS id, a.http_status_code AS "httpStatusCode", a.response, a.sent_at AS "sentAt"
${ATTEMPTS_OF} AND a.id < coalesce($4::bigint, 9223372036854775807) ORDER BY a.id DESC LIMIT $3`;

/** $1: webhook, $2: event, $3: attempt. */
export const FIND_ATTEMPT = `SELECT a.id AS number ${ATTEMPTS_OF} AND a.attempt_id = $3`;

/**
 * $1: account, $2: webhook, $3: event, $4: limit of pending replays. No row: the webhook is disabled, or one of the two
 * was deleted. A transaction that disables the webhook waits for this one, or this one for it.
 */
export const REPLAY = `
WITH enabled AS MATERIALIZED (
  SELECT id FROM nestjs_emails.webhooks WHERE account_id = $1 AND id = $2 AND status = 'enabled' FOR KEY SHARE
),
replayed AS (
  UPDATE nestjs_emails.webhook_events e SET replays = least(e.replays + 1, $4) FROM enabled
  WHERE e.webhook_id = enabled.id AND e.event_id = $3 RETURNING e.event_id
)
SELECT event_id AS id FROM replayed`;
