import { CONTENT_BYTES, contentIf, isKeptEmpty, isShown, timestamp } from './email.sql.js';

/** $1: account, $2: email, $3: limit of content, in bytes, up to which the columns of `contentIf` are read. */
export const FIND = `
SELECT e.id, e.message_id AS "messageId", e.from_mailbox AS "from", e.subject,
  ${contentIf('c.size <= $3')},
  ${timestamp('e.created_at')} AS "createdAt", ${timestamp('e.scheduled_at')} AS "scheduledAt",
  d.last_event AS "lastEvent", e.tags, e.topic_id AS "topicId", e.resent_from AS "resentFrom",
  ${isKeptEmpty('e')} AS "isEmpty", NOT ${isShown('e')} AS "isSensitive",
  c.size AS "contentSize",
  (SELECT json_build_object('since', ${timestamp('h.since')}, 'reason', h.reason) FROM nestjs_emails.account_holds h
   WHERE h.account_id = e.account_id AND d.due_at IS NOT NULL) AS held
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id,
LATERAL (SELECT ${CONTENT_BYTES} + octet_length(e.tags::text) AS size OFFSET 0) AS c
WHERE e.account_id = $1 AND e.id = $2`;
