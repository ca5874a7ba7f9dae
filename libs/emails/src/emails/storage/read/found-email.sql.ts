import { ANY_PAUSE, PAUSES_OF_EMAIL } from '../deliver/pause.sql.js';
import { CONTENT_BYTES, contentIf, isKeptEmpty, isShown, timestamp } from './email.sql.js';

/** $1: account, $2: email, $3: limit of content, in bytes, up to which the columns of `contentIf` are read. */
export const FIND = `
SELECT e.id, e.message_id AS "messageId", e.from_mailbox AS "from", e.subject,
  ${contentIf('c.size <= $3')},
  ${timestamp('e.created_at')} AS "createdAt", ${timestamp('e.scheduled_at')} AS "scheduledAt",
  d.last_event AS "lastEvent", e.tags, e.topic_id AS "topicId", e.resent_from AS "resentFrom",
  ${isKeptEmpty('e')} AS "isEmpty", NOT ${isShown('e')} AS "isSensitive",
  d.bulk IS TRUE AS "isBulk",
  c.size AS "contentSize",
  CASE WHEN d.due_at IS NOT NULL AND ${ANY_PAUSE} THEN (
    SELECT json_build_object('since', ${timestamp('p.since')}, 'reason', p.reason) FROM ${PAUSES_OF_EMAIL}
    WHERE p.transport = '' OR d.due_at = 'infinity' ORDER BY p.transport, p.since LIMIT 1
  ) END AS held
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id,
LATERAL (SELECT ${CONTENT_BYTES} + octet_length(e.tags::text) AS size OFFSET 0) AS c
WHERE e.account_id = $1 AND e.id = $2`;
