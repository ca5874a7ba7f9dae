import { ERASED_ADDRESS } from '../../../shared/mailbox/erased-address.js';
import { REASON_CODES } from '../../states/reason-codes.js';
import { after, claimIn, dueIn } from '../due-work.sql.js';
import { termHash } from '../email-terms.js';

/*
 * Hand-written because an erasure goes through millions of emails in steps that change a limited number of rows in
 * place, without waiting.
 */

const MARK = `'${ERASED_ADDRESS}'`;
/** Domain of the message ids that replace those with a person's name. */
const MARK_DOMAIN = ERASED_ADDRESS.slice(ERASED_ADDRESS.indexOf('@'));
/** Prefixes of an address in the search terms of an email. */
const PLACES = "('{rcpt,cc,bcc,from,reply}'::text[])";
/** As `addressKey`, for an address that SQL composes. */
const keyOf = (address: string) => `regexp_replace(lower(${address}), '^"(.+)"@', '\\1@')`;

/** Emails with later numbers are accepted later: those committed before the statement began have smaller numbers. */
export const NEXT_SEQ = "nextval(pg_get_serial_sequence('nestjs_emails.emails', 'seq'))";

export const DUE = dueIn('erasures');

/** $1: lease in milliseconds. `before` is not earlier than its acceptance, in milliseconds. */
export const CLAIM = `${claimIn('erasures')}
SELECT id, account_id AS "accountId", address, searched, fence,
  date_trunc('milliseconds', created_at) + interval '1 millisecond' AS before
FROM claimed`;

/** $1: id, $2: fence. Until the end of the transaction no other worker continues the erasure. */
export const HOLD = `
SELECT coalesce(place, before_seq)::text AS place, left_over AS "leftOver"
FROM nestjs_emails.erasures WHERE id = $1 AND fence = $2 FOR UPDATE`;

/**
 * Limits the wait for other locks; then the step fails. Bitmap scans are off because outdated statistics about terms
 * would make the planner collect all emails of a person to read a few.
 */
export const BOUND_STEP = `SELECT set_config('lock_timeout', '500ms', true), set_config('enable_bitmapscan', 'off', true)`;

/**
 * Whether a person is about to be removed from an email, or its content is about to be cleared. A copy would stay
 * unchanged, because it is accepted later. @param email its row
 */
export const isToGo = (email: string) => `(
  EXISTS (SELECT FROM nestjs_emails.erasure_remainders r WHERE r.email_id = ${email}.id AND r.content)
  OR EXISTS (
    SELECT FROM nestjs_emails.erasures x, unnest${PLACES} AS kind, nestjs_emails.email_terms t
    WHERE x.due_at IS NOT NULL AND x.account_id = ${email}.account_id AND NOT x.searched
      AND t.term = ${termHash(`kind || ':' || ${keyOf('x.address')}`, 'x.account_id')} AND t.seq = ${email}.seq AND t.seq < x.before_seq))`;

/**
 * $1: account, $2: search terms, $3: upper limit of the number, exclusive, $4: limit. The largest number first. A host
 * may have deleted emails whose terms remain.
 */
export const FIND_SEQS = `
SELECT seq::text AS seq FROM (
  SELECT DISTINCT found.seq FROM unnest($2::text[]) AS word, LATERAL (
    SELECT t.seq FROM nestjs_emails.email_terms t WHERE t.term = ${termHash('word', '$1::text')} AND t.seq < $3::bigint
      AND (SELECT true FROM nestjs_emails.emails e WHERE e.account_id = $1 AND e.seq = t.seq)
    ORDER BY t.seq DESC LIMIT $4
  ) AS found
) AS emails ORDER BY emails.seq DESC LIMIT $4`;

/** $1: account, $2: numbers. Locks those that no other transaction has locked. */
export const LOCK = `
SELECT e.id FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
WHERE e.account_id = $1 AND e.seq = ANY($2::bigint[])
ORDER BY e.id FOR UPDATE OF d SKIP LOCKED FOR NO KEY UPDATE OF e SKIP LOCKED`;

/**
 * $1: emails. A separate statement after `LOCK`: it sees every attempt that was opened before, and no further one can
 * be opened. An email with a running attempt is skipped.
 */
export const READ = `
SELECT e.id, e.seq::text AS seq, e.subject, e.from_mailbox AS "from", to_json(e.to_mailboxes) AS "to", to_json(e.cc_mailboxes) AS cc,
  to_json(e.bcc_mailboxes) AS bcc, to_json(e.reply_to_mailboxes) AS "replyTo", e.headers, e.message_id AS "messageId",
  d.recipients,
  d.last_event AS "lastEvent", d.attempts, d.due_at IS NULL AS finished
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
WHERE e.id = ANY($1::uuid[]) AND d.email_id = ANY($1::uuid[]) AND (d.due_at IS NULL
  OR NOT EXISTS (SELECT FROM nestjs_emails.attempts a WHERE a.email_id = e.id AND a.finished_at IS NULL))`;

/**
 * Uses an index in any plan: plans outlive the statistics that they were made from. @param column the id of an email
 */
const isIn = (column: string, ids: string) => `${column} = ANY(ARRAY(SELECT ${ids}))`;

/** The code of an event whose text is erased: the library's own codes name no person. */
const OWN_CODE = `CASE WHEN v.reason_code IN (${Object.keys(REASON_CODES)
  .map((code) => `'${code}'`)
  .join(', ')}) THEN v.reason_code END`;
/** Whether an event has a text, or a code of a policy. */
const HAS_WORDS = `(v.reason IS NOT NULL OR v.reason_code IS DISTINCT FROM ${OWN_CODE})`;

/** @param condition when the text of an outcome is removed @param item the outcome otherwise */
const outcomesWithout = (condition: string, item = 'o.item') => `
  coalesce((
    SELECT jsonb_agg(CASE WHEN ${condition} THEN jsonb_set(${item}, '{reply,text}', '""') ELSE ${item} END ORDER BY o.place)
    FROM jsonb_array_elements(a.outcomes) WITH ORDINALITY AS o(item, place)
  ), '[]')`;
const HAS_OUTCOMES = `jsonb_typeof(a.outcomes) = 'array'`;

/** True if a text contains one of the words. */
const names = (text: string) => `EXISTS (SELECT FROM unnest(i.words) AS word WHERE strpos(lower(${text}), word) > 0)`;
/** True if the text of an event may name the person. */
const MAY_NAME_PERSON = `(i.cleared OR coalesce(v.recipient = ANY(i.addresses), false) OR ${names('v.reason')})`;
const ITS_ADDRESS = `o.item->>'address' = ANY(i.addresses)`;
const MARKED = `CASE WHEN ${ITS_ADDRESS} THEN o.item || jsonb_build_object('address', ${MARK}) ELSE o.item END`;

/** Notes the contents of detached attachments, which are deleted later. @param erasure its id */
const noteContents = (erasure: string) => `
noted AS (
  INSERT INTO nestjs_emails.erasure_contents (erasure_id, hash) SELECT DISTINCT ${erasure}::uuid, content_hash FROM detached
  ON CONFLICT DO NOTHING
)`;

/**
 * $1: JSON array of `ErasedEmail`, $2: erasure. The fence of a pending delivery moves: a worker that has leased it
 * without an attempt can write nothing. Returns the events of canceled emails.
 */
export const REWRITE = `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(
    id uuid, seq bigint, "from" text, "to" text[], cc text[], bcc text[], "replyTo" text[], headers jsonb, "messageId" text,
    recipients jsonb, "lastEvent" text, over boolean, canceled boolean, cleared boolean, addresses text[], words text[],
    remainder jsonb)
),
rewritten AS (
  UPDATE nestjs_emails.emails e
  SET from_mailbox = i."from", to_mailboxes = i."to", cc_mailboxes = i.cc, bcc_mailboxes = i.bcc,
    reply_to_mailboxes = i."replyTo", headers = i.headers, message_id = i."messageId",
    html = CASE WHEN NOT i.cleared THEN e.html END, text = CASE WHEN NOT i.cleared THEN e.text END,
    subject = CASE WHEN i.cleared THEN '' ELSE e.subject END
  FROM input i WHERE e.id = i.id
),
moved AS (
  UPDATE nestjs_emails.deliveries d
  SET recipients = i.recipients, last_event = i."lastEvent", due_at = CASE WHEN NOT i.over THEN d.due_at END,
    fence = CASE WHEN d.due_at IS NULL THEN d.fence ELSE d.fence + 1 END,
    waits_for = NULL
  FROM input i WHERE d.email_id = i.id
),
detached AS (
  DELETE FROM nestjs_emails.attachments a USING input i
  WHERE a.email_id = i.id AND i.cleared AND ${isIn('a.email_id', 'id FROM input')} RETURNING a.content_hash
),
${noteContents('$2')},
tried AS (
  UPDATE nestjs_emails.attempts a
  SET outcomes = ${outcomesWithout(`i.cleared OR ${ITS_ADDRESS} OR ${names("o.item->'reply'->>'text'")}`, MARKED)}
  FROM input i WHERE a.email_id = i.id AND ${HAS_OUTCOMES} AND ${isIn('a.email_id', 'id FROM input')}
),
redacted AS (
  UPDATE nestjs_emails.events v
  SET recipient = CASE WHEN v.recipient = ANY(i.addresses) THEN ${MARK} ELSE v.recipient END,
    reason = CASE WHEN NOT ${MAY_NAME_PERSON} THEN v.reason END,
    reason_code = CASE WHEN NOT ${MAY_NAME_PERSON} THEN v.reason_code ELSE ${OWN_CODE} END
  FROM input i WHERE v.email_id = i.id AND ${isIn('v.email_id', 'id FROM input')}
    AND (v.recipient = ANY(i.addresses) OR ${HAS_WORDS})
),
left_over AS (
  INSERT INTO nestjs_emails.erasure_remainders (erasure_id, seq, email_id, content, sender, message_id)
  SELECT $2, seq, id, (remainder->>'content')::boolean, (remainder->>'sender')::boolean, (remainder->>'messageId')::boolean
  FROM input
  ON CONFLICT DO NOTHING
),
canceled AS (
  INSERT INTO nestjs_emails.events (email_id, type) SELECT id, 'canceled' FROM input WHERE canceled
  RETURNING email_id, id, occurred_at
)
SELECT email_id AS "emailId", id::text AS id, occurred_at AS "createdAt" FROM canceled`;

/** $1: account, $2: search terms, $3: for each of them the number of an email. */
export const FORGET_TERMS = `
DELETE FROM nestjs_emails.email_terms t USING unnest($2::text[], $3::bigint[]) AS lost(term, seq)
WHERE t.term = ${termHash('lost.term', '$1::text')} AND t.seq = lost.seq`;

/** $1: erasure, $2: place, $3: whether an email was skipped. */
export const PROCEED = `
UPDATE nestjs_emails.erasures SET place = $2, left_over = left_over OR $3, due_at = now() WHERE id = $1`;

/** $1: erasure, $2: milliseconds until its next round. */
export const END_ROUND = `
UPDATE nestjs_emails.erasures SET place = NULL, left_over = false, due_at = ${after('$2')} WHERE id = $1`;

/** $1: erasure. Notes that all emails were found. */
export const END_SEARCH = `
UPDATE nestjs_emails.erasures SET place = NULL, left_over = false, searched = true, due_at = now() WHERE id = $1`;

const IS_WHOLE = `e.html IS NOT NULL OR e.text IS NOT NULL OR e.subject <> '' OR e.headers::text <> '[]'`;
/** An email `e` after its remainder `i` is cleared. */
const AS_CLEARED = {
  subject: "CASE WHEN i.content THEN '' ELSE e.subject END",
  headers: "CASE WHEN i.content THEN '[]' ELSE e.headers END",
  from: `CASE WHEN i.sender THEN ${MARK} ELSE e.from_mailbox END`,
  messageId: `CASE WHEN i.message_id THEN '<' || e.id || '${MARK_DOMAIN}>' ELSE e.message_id END`,
};

/** Texts that have an email's words. */
const textsOf = (subject: string, from: string) => `json_build_object('subject', ${subject}, 'from', ${from},
  'to', e.to_mailboxes, 'cc', e.cc_mailboxes, 'bcc', e.bcc_mailboxes)`;
const TEXTS = textsOf('e.subject', 'e.from_mailbox');
const TEXTS_AFTER = textsOf(AS_CLEARED.subject, AS_CLEARED.from);

/**
 * $1: erasure, $2: place, $3: limit. Returns the place at which it ended, null when there are no more, and the emails as
 * they are now, with the texts that they had. It may run again: the data of other modules is erased afterwards.
 */
export const CLEAR_REMAINDERS = `
WITH batch AS MATERIALIZED (
  SELECT r.*, d.due_at IS NULL AS over
  FROM nestjs_emails.erasure_remainders r JOIN nestjs_emails.deliveries d ON d.email_id = r.email_id
  WHERE r.erasure_id = $1 AND r.seq < $2::bigint ORDER BY r.seq DESC LIMIT $3
),
locked AS MATERIALIZED (
  SELECT e.id FROM batch JOIN nestjs_emails.emails e ON e.id = batch.email_id WHERE batch.over
  ORDER BY e.id FOR NO KEY UPDATE OF e SKIP LOCKED
),
i AS MATERIALIZED (SELECT batch.* FROM batch JOIN locked ON locked.id = batch.email_id),
rewritten AS (
  UPDATE nestjs_emails.emails e
  SET html = CASE WHEN NOT i.content THEN e.html END, text = CASE WHEN NOT i.content THEN e.text END,
    subject = ${AS_CLEARED.subject}, headers = ${AS_CLEARED.headers}, from_mailbox = ${AS_CLEARED.from},
    message_id = ${AS_CLEARED.messageId}
  FROM i WHERE e.id = i.email_id AND (i.sender OR i.message_id OR i.content AND (${IS_WHOLE}))
),
detached AS (
  DELETE FROM nestjs_emails.attachments a USING i WHERE a.email_id = i.email_id AND i.content RETURNING a.content_hash
),
${noteContents('$1')},
tried AS (
  UPDATE nestjs_emails.attempts a SET outcomes = ${outcomesWithout('true')}
  FROM i WHERE a.email_id = i.email_id AND (i.content OR i.sender OR i.message_id) AND ${HAS_OUTCOMES}
),
redacted AS (
  UPDATE nestjs_emails.events v SET reason = NULL, reason_code = ${OWN_CODE} FROM i
  WHERE v.email_id = i.email_id AND (i.content OR i.sender OR i.message_id) AND ${HAS_WORDS}
)
SELECT min(seq)::text AS place, (
    SELECT coalesce(json_agg(json_build_object('id', e.id, 'messageId', ${AS_CLEARED.messageId}, 'from', ${AS_CLEARED.from},
      'to', e.to_mailboxes, 'cc', e.cc_mailboxes, 'bcc', e.bcc_mailboxes, 'subject', ${AS_CLEARED.subject},
      'headers', ${AS_CLEARED.headers}, 'isCleared', i.content)), '[]')
    FROM i JOIN nestjs_emails.emails e ON e.id = i.email_id
  ) AS emails, (
    SELECT coalesce(json_agg(json_build_object('seq', i.seq::text, 'before', ${TEXTS}, 'after', ${TEXTS_AFTER})), '[]')
    FROM i JOIN nestjs_emails.emails e ON e.id = i.email_id
  ) AS texts
FROM batch`;

/** $1: erasure, $2: emails. */
export const FORGET_REMAINDERS = `
DELETE FROM nestjs_emails.erasure_remainders WHERE erasure_id = $1 AND email_id = ANY($2::uuid[])`;

/**
 * $1: erasure, $2: limit. The next contents, and whether they may be deleted: no email refers to them, and no other
 * transaction has locked them to refer to them. Their new time is so old that each `put` from now on renews it, and
 * young enough for housekeeping to keep them for an hour.
 */
export const NEXT_CONTENTS = `
WITH next AS MATERIALIZED (
  SELECT hash FROM nestjs_emails.erasure_contents WHERE erasure_id = $1 ORDER BY hash LIMIT $2
),
free AS MATERIALIZED (
  SELECT c.hash FROM next JOIN nestjs_emails.attachment_contents c ON c.hash = next.hash AND c.slice = 0
  WHERE NOT EXISTS (SELECT FROM nestjs_emails.attachments a WHERE a.content_hash = next.hash)
  ORDER BY c.hash FOR UPDATE OF c SKIP LOCKED
),
aged AS (
  UPDATE nestjs_emails.attachment_contents c SET touched_at = now() - interval '23 hours 1 minute' FROM free
  WHERE c.hash = free.hash AND c.slice = 0
)
SELECT hash, hash IN (SELECT hash FROM free) AS free FROM next`;

/**
 * $1: hashes. Until the end of the transaction nothing can begin to refer to the returned ones, and nothing did since
 * `NEXT_CONTENTS`.
 */
export const LOCK_CONTENTS = `
SELECT hash FROM nestjs_emails.attachment_contents
WHERE hash = ANY($1::text[]) AND slice = 0 AND touched_at < now() - interval '23 hours'
ORDER BY hash FOR UPDATE SKIP LOCKED`;

/** $1: hashes of locked contents. */
export const DELETE_CONTENTS = `
WITH orphaned AS MATERIALIZED (
  SELECT hash FROM unnest($1::text[]) AS hash
  WHERE NOT EXISTS (SELECT FROM nestjs_emails.attachments a WHERE a.content_hash = hash)
),
noted AS (
  INSERT INTO nestjs_emails.erased_contents (hash) SELECT hash FROM orphaned
  ON CONFLICT (hash) DO UPDATE SET erased_at = excluded.erased_at
)
DELETE FROM nestjs_emails.attachment_contents c USING orphaned WHERE c.hash = orphaned.hash`;

/** $1: erasure, $2: hashes. */
export const FORGET_CONTENTS = `
DELETE FROM nestjs_emails.erasure_contents WHERE erasure_id = $1 AND hash = ANY($2::text[])`;

/** $1: erasure. Milliseconds until the first remainder is due, negative if it was; null without remainders. */
export const NEXT_REMAINDER = `
SELECT extract(epoch FROM min(least(coalesce(d.due_at, now()), now() + interval '1 hour')) - now())::float8 * 1000 AS wait
FROM (SELECT email_id FROM nestjs_emails.erasure_remainders WHERE erasure_id = $1 LIMIT 1000) AS r
JOIN nestjs_emails.deliveries d ON d.email_id = r.email_id`;

/** $1: erasure. */
export const FINISH = 'UPDATE nestjs_emails.erasures SET place = NULL, due_at = NULL WHERE id = $1';
