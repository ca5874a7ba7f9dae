/** True for an event `e` that was dropped with its webhook `w`, even if its row does not show it yet. */
const STATUS = `CASE WHEN e.due_at IS NOT NULL AND (e.seq <= w.dropped_to OR w.status = 'disabled') THEN 'failed' ELSE e.status END`;
const DUE_AT = `CASE WHEN e.seq > w.dropped_to AND w.status = 'enabled' THEN e.due_at END`;

/** $1: account, $2: webhook. */
export const FIND_WEBHOOK = 'SELECT status, events FROM nestjs_emails.webhooks WHERE account_id = $1 AND id = $2';

const LISTED = `e.event_id AS "eventId", e.type, e.created_at AS "createdAt", ${STATUS} AS status,
  p.email_id AS "emailId", p.recipient,
  (SELECT count(*)::integer FROM nestjs_emails.webhook_attempts a WHERE a.webhook_id = e.webhook_id AND a.event_seq = e.seq)
    AS attempts`;
const LOG = `nestjs_emails.webhook_events e JOIN nestjs_emails.webhooks w ON w.id = e.webhook_id
  LEFT JOIN nestjs_emails.webhook_payloads p ON p.id = e.payload_id`;

/** $1: webhook, $2: limit, $3: event to start after, or null. Newest first. */
export const PAGE = `
SELECT ${LISTED} FROM ${LOG}
WHERE e.webhook_id = $1 AND e.seq < coalesce(
  (SELECT seq FROM nestjs_emails.webhook_events WHERE webhook_id = $1 AND event_id = $3), 9223372036854775807)
ORDER BY e.seq DESC LIMIT $2`;

/** $1: webhook, $2: event. */
export const FIND = `
SELECT ${LISTED}, ${DUE_AT} AS "dueAt", p.body AS payload FROM ${LOG}
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

/**
 * $1: account, $2: webhook, $3: earliest time, $4: event to start after, or null, $5: limit. Replays a group of failed
 * events, the oldest first, and returns their number and the last of them. An event with a pending replay gets no
 * second one. No row: the webhook is disabled.
 */
export const REPLAY_FAILED = `
WITH enabled AS MATERIALIZED (
  SELECT id FROM nestjs_emails.webhooks WHERE account_id = $1 AND id = $2 AND status = 'enabled' FOR KEY SHARE
),
start AS MATERIALIZED (
  SELECT created_at, seq FROM nestjs_emails.webhook_events WHERE webhook_id = $2 AND event_id = $4
),
failed AS MATERIALIZED (
  SELECT e.webhook_id, e.seq, e.event_id, e.created_at FROM enabled CROSS JOIN LATERAL (
    SELECT * FROM nestjs_emails.webhook_events
    WHERE webhook_id = enabled.id AND status = 'failed' AND created_at >= $3::timestamptz
      AND (created_at, seq) > (coalesce((SELECT created_at FROM start), '-infinity'), coalesce((SELECT seq FROM start), 0))
    ORDER BY created_at, seq LIMIT $5 FOR NO KEY UPDATE
  ) AS e
),
replayed AS (
  UPDATE nestjs_emails.webhook_events e SET replays = 1 FROM failed f
  WHERE e.webhook_id = f.webhook_id AND e.seq = f.seq AND e.replays = 0
)
SELECT (SELECT count(*)::integer FROM failed) AS count,
  (SELECT event_id FROM failed ORDER BY created_at DESC, seq DESC LIMIT 1) AS last
FROM enabled`;

/** $1: account, $2: limit of events of each webhook. The states of the latest events of all webhooks, in numbers. */
export const STATISTICS = `
SELECT w.id, last.* FROM nestjs_emails.webhooks w CROSS JOIN LATERAL (
  SELECT count(*)::integer AS events, ${['success', 'failed', 'attempting', 'pending']
    .map((status) => `count(*) FILTER (WHERE status = '${status}')::integer AS ${status}`)
    .join(', ')}
  FROM (SELECT ${STATUS} AS status FROM nestjs_emails.webhook_events e WHERE e.webhook_id = w.id
    ORDER BY e.seq DESC LIMIT $2) AS latest
) AS last WHERE w.account_id = $1 ORDER BY w.seq DESC`;
