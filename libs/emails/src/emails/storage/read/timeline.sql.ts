import { STATELESS_EVENTS } from '../../states/email-states.js';
import { timestamp } from './email.sql.js';

const STATELESS = `'{${STATELESS_EVENTS.join(',')}}'::text[]`;

/*
 * Hand-written because attempts and events of an email are aggregated in the database: for hundreds of recipients they
 * are megabytes, of which the answer needs a few kilobytes.
 */

/**
 * $1: account, $2: email. The history of each recipient, from stored data. `tried`: the attempts with an outcome for an
 * address, and the fence of the one that ended it. `lost`: attempts whose end is unknown; any pending recipient may
 * have been sent to, or only that of the message. `retries`: the time of the next attempt of each recipient that has its
 * own. `latest`: the last event of each recipient about its state.
 */
export const RECIPIENTS = `
SELECT to_json(e.to_mailboxes) AS "to", to_json(e.cc_mailboxes) AS cc, to_json(e.bcc_mailboxes) AS bcc, d.recipients,
  d.last_event AS "lastEvent",
  CASE WHEN NOT EXISTS (SELECT FROM nestjs_emails.attempts a WHERE a.email_id = e.id AND a.finished_at IS NULL)
    THEN ${timestamp('d.due_at')} END AS "nextAttemptAt",
  (SELECT coalesce(json_object_agg(r->>'address', ${timestamp("greatest(d.due_at, greatest(e.scheduled_at, e.created_at) + (r->>'retryAge')::float8 * interval '1 millisecond')")}), '{}')
   FROM jsonb_array_elements(d.recipients) AS r WHERE r ? 'retryAge') AS retries,
  NOT EXISTS (SELECT FROM nestjs_emails.events v WHERE v.email_id = e.id) AS forgotten,
  (SELECT coalesce(json_agg(tried), '[]') FROM (
    SELECT o.outcome->>'address' AS address, count(*)::integer AS attempts, ${timestamp('max(a.started_at)')} AS "lastAttemptAt",
      min(a.fence) FILTER (WHERE o.outcome->>'outcome' IN ('accepted', 'rejected')) AS "endedBy"
    FROM nestjs_emails.attempts a, jsonb_array_elements(a.outcomes) AS o(outcome) WHERE a.email_id = e.id GROUP BY 1
  ) AS tried) AS tried,
  (SELECT coalesce(json_agg(json_build_object('fence', a.fence, 'message', a.message, 'startedAt', ${timestamp('a.started_at')}) ORDER BY a.fence), '[]')
   FROM nestjs_emails.attempts a WHERE a.email_id = e.id AND a.unknown AND a.outcomes IS NULL) AS lost,
  (SELECT coalesce(json_agg(latest), '[]') FROM (
    SELECT DISTINCT ON (v.recipient) v.recipient AS address, v.type, v.reason, v.reason_code AS "reasonCode", v.source
    FROM nestjs_emails.events v
    WHERE v.email_id = e.id AND v.recipient IS NOT NULL AND v.type <> ALL(${STATELESS}) ORDER BY v.recipient, v.id DESC
  ) AS latest) AS latest
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
WHERE e.account_id = $1 AND e.id = $2`;

/** $1: account, $2: email. */
export const FOLLOWED = `
SELECT ARRAY(SELECT r->>'address' FROM jsonb_array_elements(d.recipients) AS r) AS addresses
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
WHERE e.account_id = $1 AND e.id = $2`;

/**
 * $1: email, $2: event before which to start, or null, $3: types or null, $4: recipients or null, $5: limit. `ORDER BY
 * id` would mean the column of the answer, which is a text.
 */
export const EVENTS = `
SELECT id::text, type, recipient, ${timestamp('occurred_at')} AS "createdAt", reason, reason_code AS "reasonCode", attempt, source,
  bounce, transport
FROM nestjs_emails.events
WHERE email_id = $1 AND id < coalesce($2::bigint, 9223372036854775807)
  AND ($3::text[] IS NULL OR type = ANY($3)) AND ($4::text[] IS NULL OR recipient = ANY($4))
ORDER BY events.id DESC LIMIT $5`;

/** $1: email, $2: index of a recipient, $3: the mark of an erased person. */
export const RECIPIENT = `
SELECT e.account_id AS "accountId", e.topic_id AS "topicId", nullif(d.recipients->$2::integer->>'address', $3) AS address
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id WHERE e.id = $1`;
