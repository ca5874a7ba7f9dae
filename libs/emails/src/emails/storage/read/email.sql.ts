import { arrayBytes } from '../../../shared/rows/array-bytes.js';
import { isToGo } from '../erase/erasure.sql.js';
import type { PageColumns } from './page-bounds.js';

/*
 * Hand-written because a page ends where its content becomes too large, which the database knows before it reads it. A
 * page of a hundred among a million emails takes 4.1 ms at the beginning and 4.2 ms near the end (docs/bench.md,
 * `pages`).
 */

/** $1: account, $2: key. */
export const FIND_ANSWER = `
SELECT email_id AS "emailId", request_hash AS "requestHash" FROM nestjs_emails.idempotency_keys
WHERE account_id = $1 AND key = $2 AND expires_at > now()`;

/** $1: account, $2: endpoint, $3: key. */
export const FIND_WHOLE_ANSWER = `
SELECT answer, request_hash AS "requestHash" FROM nestjs_emails.idempotent_answers
WHERE account_id = $1 AND endpoint = $2 AND key = $3 AND expires_at > now()`;

/**
 * True if it was accepted without content and nothing was cleared since. An erasure clears the subject. @param email
 * its row
 */
export const isKeptEmpty = (email: string) => `(coalesce(${email}.accepted_empty, false) AND ${email}.subject <> '')`;

/** Whether content may leave the database in another way than to its recipients. @param email its row */
export const isShown = (email: string) => `${email}.sensitive IS NOT TRUE`;

/**
 * $1: account, $2: email. The data for copying the email or building its message, without html and text, and without
 * content that is about to be cleared, or is not shown.
 */
export const FIND_SOURCE = `
SELECT e.id, e.message_id AS "messageId", e.from_mailbox AS "from", to_json(e.to_mailboxes) AS "to",
  to_json(e.cc_mailboxes) AS cc, to_json(e.bcc_mailboxes) AS bcc, to_json(e.reply_to_mailboxes) AS "replyTo", e.subject,
  greatest(e.scheduled_at, e.created_at) AS "date",
  e.html IS NOT NULL AND NOT going AS "hasHtml",
  e.text IS NOT NULL AND NOT going AS "hasText",
  ${isKeptEmpty('e')} AND NOT going AS "isEmpty",
  coalesce(octet_length(e.html), 0) + coalesce(octet_length(e.text), 0) AS "contentSize",
  e.headers, e.tags, e.topic_id AS "topicId", e.template_id AS "templateId", NOT ${isShown('e')} AS "isSensitive",
  d.recipients, d.bulk IS TRUE AS "isBulk",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('filename', a.filename, 'contentType', a.content_type, 'contentId',
    a.content_id, 'contentHash', a.content_hash, 'size', a.size) ORDER BY a.position), '[]')
   FROM nestjs_emails.attachments a WHERE a.email_id = e.id AND NOT going) AS attachments
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id,
LATERAL (SELECT NOT ${isShown('e')} OR ${isToGo('e')} AS going OFFSET 0) AS erasures
WHERE e.account_id = $1 AND e.id = $2`;

/**
 * $1: account, $2: message ids, $3: ids of emails from which they may have been generated. Returns those that the
 * account has. Given message ids are in an index.
 */
export const FIND_MESSAGE_IDS = `
SELECT message_id AS "messageId" FROM nestjs_emails.emails
WHERE account_id = $1 AND message_id = ANY($2) AND strpos(message_id, id::text) = 0
UNION SELECT message_id FROM nestjs_emails.emails WHERE account_id = $1 AND message_id = ANY($2) AND id = ANY($3::uuid[])`;

/** $1: account, $2: email. */
export const FIND_SEQ = 'SELECT seq FROM nestjs_emails.emails WHERE account_id = $1 AND id = $2';

/** A time in the format of the contract (section 3). */
export const timestamp = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`;

/**
 * $1: account, $2: sequence number or null, $3: limit, $4: bytes of content to read at once, $5: bytes of a page.
 *
 * `contentSize` is the content of all rows from the first to this one (`CONTENT_BYTES`). The page ends before it
 * exceeds $5, but has one email if there is any. The columns of `contentIf` are null from the row where it exceeds $4.
 * `available` is the number of rows before the page was cut.
 *
 * The limit is a subquery so that the planner does not know it: if it expects less than a page for the account, it
 * would read and sort all of its emails instead of following the index.
 */
const page = (position: string, order: Order) => {
  const emails = `SELECT * FROM nestjs_emails.emails WHERE account_id = $1 AND ${position} ORDER BY seq ${order} LIMIT (SELECT $3::bigint)`;
  return { all: pageOf(emails, order, 'all'), summary: pageOf(emails, order, 'summary') };
};

export type Order = 'ASC' | 'DESC';

/** Bytes of everything that a list shows of an email `e` without its html and text. */
export const SUMMARY_BYTES = [
  ...['from_mailbox', 'subject'].map((column) => `octet_length(e.${column})`),
  ...['to', 'cc', 'bcc', 'reply_to'].map((name) => arrayBytes(`e.${name}_mailboxes`)),
].join(' + ');

/** Columns of a summary on top of those of the list. */
const SUMMARY_COLUMNS = `
  e.tags, e.topic_id AS "topicId",
  (SELECT count(*)::integer FROM nestjs_emails.attachments a WHERE a.email_id = e.id) AS attachments,`;

/** Bytes that a page counts for an email `e`. */
const PAGE_BYTES = (columns: PageColumns) =>
  columns === 'all' ? CONTENT_BYTES : `${SUMMARY_BYTES} + octet_length(e.tags::text)`;

/**
 * The same with them. Sizes of texts are known without reading values stored out of line (PostgreSQL 18, section 66.2).
 */
export const CONTENT_BYTES = [
  ...['html', 'text'].map((column) => `coalesce(octet_length(e.${column}), 0)`),
  SUMMARY_BYTES,
].join(' + ');

/** Arrays are read as JSON: node-postgres parses its own format of arrays character by character. */
const CONTENT = {
  to: 'to_json(e.to_mailboxes)',
  cc: 'to_json(e.cc_mailboxes)',
  bcc: 'to_json(e.bcc_mailboxes)',
  replyTo: 'to_json(e.reply_to_mailboxes)',
  html: `CASE WHEN ${isShown('e')} THEN e.html END`,
  text: `CASE WHEN ${isShown('e')} THEN e.text END`,
};

/** In place of html and text in a summary. */
const LEFT_OUT = { html: 'null::text', text: 'null::text' };

/** Columns of an email `e` that may be large; null unless the condition holds. */
export const contentIf = (condition: string, columns: PageColumns = 'all') =>
  Object.entries({ ...CONTENT, ...(columns === 'summary' && LEFT_OUT) })
    .map(([name, column]) => `CASE WHEN ${condition} THEN ${column} END AS "${name}"`)
    .join(',\n  ');

/** @param emails rows of `emails`: those of the page and the one after it */
export const pageOf = (emails: string, order: Order, columns: PageColumns) => `
SELECT e.id, e.message_id AS "messageId", e.from_mailbox AS "from", e.subject,
  ${contentIf('e.content_size <= $4', columns)},${columns === 'summary' ? SUMMARY_COLUMNS : ''}
  ${timestamp('e.created_at')} AS "createdAt", ${timestamp('e.scheduled_at')} AS "scheduledAt",
  (SELECT last_event FROM nestjs_emails.deliveries WHERE email_id = e.id) AS "lastEvent",
  e.content_size AS "contentSize", e.available
FROM (
  SELECT *, row_number() OVER listed AS place, (count(*) OVER ())::integer AS available,
    (sum(${PAGE_BYTES(columns)}) OVER listed)::float8 AS content_size
  FROM (${emails}) AS e
  WINDOW listed AS (ORDER BY seq ${order})
) AS e
WHERE e.content_size <= $5 OR e.place = 1
ORDER BY e.seq ${order}`;

export const PAGE_OLDER = page('seq < coalesce($2::bigint, 9223372036854775807)', 'DESC');

export const PAGE_NEWER = page('seq > $2::bigint', 'ASC');

const contents = (columns: PageColumns) =>
  `SELECT e.id, ${contentIf('true', columns)} FROM nestjs_emails.emails e WHERE account_id = $1 AND id = ANY($2)`;

/** $1: account, $2: emails. */
export const CONTENTS = { all: contents('all'), summary: contents('summary') };
