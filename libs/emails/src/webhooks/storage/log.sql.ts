/** What was dropped with its endpoint is over, though its row may not say so yet. Of an event `e` and its webhook `w`. */
const STATUS = `CASE WHEN e.due_at IS NOT NULL AND e.seq <= w.dropped_to THEN 'failed' ELSE e.status END`;
const DUE_AT = `CASE WHEN e.seq > w.dropped_to THEN e.due_at END`;

/** $1: account, $2: webhook. */
export const FIND_WEBHOOK = 'SELECT status FROM nestjs_emails.webhooks WHERE account_id = $1 AND id = $2';

/** $1: webhook, $2: how many, $3: event after which to begin, or null. Newest first. */
export const PAGE = `
SELECT e.event_id AS "eventId", e.type, e.created_at AS "createdAt", ${STATUS} AS status
FROM nestjs_emails.webhook_events e JOIN nestjs_emails.webhooks w ON w.id = e.webhook_id
WHERE e.webhook_id = $1 AND e.seq < coalesce(
  (SELECT seq FROM nestjs_emails.webhook_events WHERE webhook_id = $1 AND event_id = $3), 9223372036854775807)
ORDER BY e.seq DESC LIMIT $2`;

/** $1: webhook, $2: event. */
export const FIND = `
SELECT e.event_id AS "eventId", e.type, e.created_at AS "createdAt", ${STATUS} AS status, ${DUE_AT} AS "dueAt", e.payload
FROM nestjs_emails.webhook_events e JOIN nestjs_emails.webhooks w ON w.id = e.webhook_id
WHERE e.webhook_id = $1 AND e.event_id = $2`;

/** $1: webhook, $2: event, $3: how many. Newest first. */
export const ATTEMPTS = `
SELECT a.attempt_id AS id, a.http_status_code AS "httpStatusCode", a.response, a.sent_at AS "sentAt"
FROM nestjs_emails.webhook_events e JOIN nestjs_emails.webhook_attempts a
  ON a.webhook_id = e.webhook_id AND a.event_seq = e.seq
WHERE e.webhook_id = $1 AND e.event_id = $2 ORDER BY a.id DESC LIMIT $3`;

/** $1: webhook, $2: event, $3: how many may wait at most. */
export const REPLAY = `
UPDATE nestjs_emails.webhook_events SET replays = least(replays + 1, $3)
WHERE webhook_id = $1 AND event_id = $2 RETURNING event_id`;
