import { type Order, SUMMARY_BYTES, timestamp } from './email.sql.js';

/**
 * A page of summaries, which ends before it exceeds $4 bytes, but has one email if there is any. No html and no text is
 * read.
 *
 * @param emails rows of `emails`
 */
export const exportOf = (emails: string, order: Order) => `
SELECT e.id, e.seq::text AS seq, e.message_id AS "messageId", e.from_mailbox AS "from",
  to_json(e.to_mailboxes) AS "to", to_json(e.cc_mailboxes) AS cc, to_json(e.bcc_mailboxes) AS bcc,
  to_json(e.reply_to_mailboxes) AS "replyTo", e.subject,
  ${timestamp('e.created_at')} AS "createdAt", ${timestamp('e.scheduled_at')} AS "scheduledAt",
  (SELECT last_event FROM nestjs_emails.deliveries WHERE email_id = e.id) AS "lastEvent",
  e.tags, e.topic_id AS "topicId", e.available
FROM (
  SELECT *, row_number() OVER listed AS place, (count(*) OVER ())::integer AS available,
    sum(${SUMMARY_BYTES} + octet_length(e.tags::text)) OVER listed AS summary_size
  FROM (${emails}) AS e
  WINDOW listed AS (ORDER BY seq ${order})
) AS e
WHERE e.summary_size <= $4 OR e.place = 1
ORDER BY e.seq ${order}`;
