import { timestamp } from './email.sql.js';

/**
 * $1: account, $2: email. What became of each recipient, by what is kept of it: `tried`, the attempts that said something of
 * an address, and the fence of the one that ended it; `lost`, attempts whose end nobody saw, which may have been at anybody
 * who was left; `latest`, the last event of each.
 */
export const RECIPIENTS = `
SELECT to_json(e.to_mailboxes) AS "to", to_json(e.cc_mailboxes) AS cc, to_json(e.bcc_mailboxes) AS bcc, d.recipients,
  d.last_event AS "lastEvent",
  CASE WHEN NOT EXISTS (SELECT FROM nestjs_emails.attempts a WHERE a.email_id = e.id AND a.finished_at IS NULL)
    THEN ${timestamp('d.due_at')} END AS "nextAttemptAt",
  NOT EXISTS (SELECT FROM nestjs_emails.events v WHERE v.email_id = e.id) AS forgotten,
  (SELECT coalesce(json_agg(tried), '[]') FROM (
    SELECT o.outcome->>'address' AS address, count(*)::integer AS attempts, ${timestamp('max(a.started_at)')} AS "lastAttemptAt",
      min(a.fence) FILTER (WHERE o.outcome->>'outcome' IN ('accepted', 'rejected')) AS "endedBy"
    FROM nestjs_emails.attempts a, jsonb_array_elements(a.outcomes) AS o(outcome) WHERE a.email_id = e.id GROUP BY 1
  ) AS tried) AS tried,
  (SELECT coalesce(json_agg(json_build_object('fence', a.fence, 'startedAt', ${timestamp('a.started_at')}) ORDER BY a.fence), '[]')
   FROM nestjs_emails.attempts a WHERE a.email_id = e.id AND a.unknown AND a.outcomes IS NULL) AS lost,
  (SELECT coalesce(json_agg(latest), '[]') FROM (
    SELECT DISTINCT ON (v.recipient) v.recipient AS address, v.type, v.reason FROM nestjs_emails.events v
    WHERE v.email_id = e.id AND v.recipient IS NOT NULL ORDER BY v.recipient, v.id DESC
  ) AS latest) AS latest
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
WHERE e.account_id = $1 AND e.id = $2`;

/** $1: account, $2: email. */
export const FOLLOWED = `
SELECT EXISTS (
    SELECT FROM nestjs_emails.events v WHERE v.email_id = e.id AND v.reason = 'topic_opted_out') AS "hasOptOut", ARRAY(SELECT r->>'address' FROM jsonb_array_elements(d.recipients) AS r) AS addresses
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
WHERE e.account_id = $1 AND e.id = $2`;

/** $1: email, $2: event. */
export const IS_EVENT = 'SELECT FROM nestjs_emails.events WHERE email_id = $1 AND id = $2';

/**
 * $1: email, $2: event before which, or null, $3: types or null, $4: recipients or null, $5: how many at most. `ORDER BY id`
 * would mean the column of the answer, which is a text.
 */
export const EVENTS = `
SELECT id::text, type, recipient, ${timestamp('occurred_at')} AS "createdAt", reason, attempt, bounce
FROM nestjs_emails.events
WHERE email_id = $1 AND id < coalesce($2::bigint, 9223372036854775807)
  AND ($3::text[] IS NULL OR type = ANY($3)) AND ($4::text[] IS NULL OR recipient = ANY($4))
ORDER BY events.id DESC LIMIT $5`;
