import { isKeptEmpty, timestamp } from './email.sql.js';

/**
 * $1: account, $2: email, $3: bytes of html and text up to which they are read. `contentSize` is known without reading what
 * is kept out of line (PostgreSQL 18, section 66.2).
 */
export const FIND = `
SELECT e.id, e.message_id AS "messageId", e.from_mailbox AS "from", e.to_mailboxes AS "to", e.cc_mailboxes AS cc,
  e.bcc_mailboxes AS bcc, e.reply_to_mailboxes AS "replyTo", e.subject,
  CASE WHEN c.size <= $3 THEN e.html END AS html, CASE WHEN c.size <= $3 THEN e.text END AS text,
  ${timestamp('e.created_at')} AS "createdAt", ${timestamp('e.scheduled_at')} AS "scheduledAt",
  d.last_event AS "lastEvent", e.tags, e.topic_id AS "topicId", e.resent_from AS "resentFrom",
  ${isKeptEmpty('e')} AS "isEmpty",
  c.size AS "contentSize"
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id,
LATERAL (SELECT coalesce(octet_length(e.html), 0) + coalesce(octet_length(e.text), 0) AS size) AS c
WHERE e.account_id = $1 AND e.id = $2`;
