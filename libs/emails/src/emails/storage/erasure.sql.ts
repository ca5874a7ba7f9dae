import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { termHash } from './email-terms.js';

const MARK = `'${ERASED_ADDRESS}'`;
/** The domain of message ids that are made for those that named somebody. */
const MARK_DOMAIN = ERASED_ADDRESS.slice(ERASED_ADDRESS.indexOf('@'));
/** What is before an address in the words that an email with it can be found by. */
const PLACES = "('{rcpt,cc,bcc,from,reply}'::text[])";
/** As `addressKey`, of what is composed. */
const keyOf = (address: string) => `regexp_replace(lower(${address}), '^"(.+)"@', '\\1@')`;
/** In milliseconds from now. */
const after = (milliseconds: string) => `now() + ${milliseconds}::float8 * interval '1 millisecond'`;

/**
 * $1: id, $2: account, $3: address. What is numbered later is accepted later: whatever was committed before this
 * statement began has a smaller number.
 */
export const CREATE = `
INSERT INTO nestjs_emails.erasures (id, account_id, address, before_seq)
VALUES ($1, $2, $3, nextval(pg_get_serial_sequence('nestjs_emails.emails', 'seq')))`;

/** $1: account, $2: id. */
export const FIND = `
SELECT id, due_at IS NULL AS finished FROM nestjs_emails.erasures WHERE account_id = $1 AND id = $2`;

/** Whether there is one to go on with. A row, or none. */
export const DUE = 'SELECT id FROM nestjs_emails.erasures WHERE due_at <= now() ORDER BY due_at LIMIT 1';

/**
 * $1: lease in milliseconds. Of an account that has some, whichever: nobody waits for how many another one asked for. Of its
 * own the one that is due for longest. `before` is no earlier than its acceptance, in milliseconds.
 */
export const CLAIM = `
WITH turn AS MATERIALIZED (
  SELECT account_id FROM (SELECT DISTINCT account_id FROM nestjs_emails.erasures WHERE due_at <= now()) AS accounts
  ORDER BY random() LIMIT 1
),
next AS (
  SELECT id FROM nestjs_emails.erasures WHERE due_at <= now() AND account_id = (SELECT account_id FROM turn)
  ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
),
claimed AS (
  UPDATE nestjs_emails.erasures e SET fence = fence + 1, due_at = ${after('$1')} FROM next WHERE e.id = next.id RETURNING e.*
)
SELECT id, account_id AS "accountId", address, searched, fence,
  date_trunc('milliseconds', created_at) + interval '1 millisecond' AS before
FROM claimed`;

/** $1: id, $2: fence. Until the end of the transaction nobody else goes on with it. */
export const HOLD = `
SELECT place IS NULL AS "isFirst", coalesce(place, before_seq)::text AS place, left_over AS "leftOver",
  before_seq::text AS "beforeSeq"
FROM nestjs_emails.erasures WHERE id = $1 AND fence = $2 FOR UPDATE`;

/**
 * Whatever else is locked is waited for so long, then the step fails. And what the planner knows of words may be of another
 * time: it would collect all of a person's to take a few.
 */
export const BOUND_STEP = `SELECT set_config('lock_timeout', '500ms', true), set_config('enable_bitmapscan', 'off', true)`;

/**
 * Whether somebody is to be taken out of an email still, or its content is to be cleared: a copy would be left as it is,
 * because it is accepted later. @param email its row
 */
export const isToGo = (email: string) => `(
  EXISTS (SELECT FROM nestjs_emails.erasure_remainders r WHERE r.email_id = ${email}.id AND r.content)
  OR EXISTS (
    SELECT FROM nestjs_emails.erasures x, unnest${PLACES} AS kind, nestjs_emails.email_terms t
    WHERE x.due_at IS NOT NULL AND x.account_id = ${email}.account_id AND NOT x.searched
      AND t.term = ${termHash(`kind || ':' || ${keyOf('x.address')}`, 'x.account_id')} AND t.seq = ${email}.seq AND t.seq < x.before_seq))`;

/**
 * $1: account, $2: words that emails are found by, $3: below which number, $4: how many at most. The largest first. A host
 * may have deleted emails whose words are still there.
 */
export const FIND_SEQS = `
SELECT seq::text AS seq FROM (
  SELECT DISTINCT found.seq FROM unnest($2::text[]) AS word, LATERAL (
    SELECT t.seq FROM nestjs_emails.email_terms t WHERE t.term = ${termHash('word', '$1::text')} AND t.seq < $3::bigint
      AND (SELECT true FROM nestjs_emails.emails e WHERE e.account_id = $1 AND e.seq = t.seq)
    ORDER BY t.seq DESC LIMIT $4
  ) AS found
) AS emails ORDER BY emails.seq DESC LIMIT $4`;

/**
 * $1: account, $2: number below which emails count. Whether there are some that cannot be found by words yet; also where
 * so many of all accounts cannot that it would take long to look. In the order of an index, or all rows would be read when
 * statistics of before they were numbered say that most are such.
 *
 * The question comes before the first search of a round. After the last one it would miss an email that was indexed in
 * between, at a place that the round has already passed.
 */
export const HAS_UNINDEXED = `
SELECT count(*) = 1000 OR count(*) FILTER (WHERE e.account_id = $1 AND e.seq < $2::bigint) > 0 AS found
FROM (SELECT email_id FROM nestjs_emails.deliveries WHERE seq IS NULL ORDER BY email_id LIMIT 1000) AS d
JOIN nestjs_emails.emails e ON e.id = d.email_id`;

/** $1: account, $2: numbers. Locks those that nobody else has locked. */
export const LOCK = `
SELECT e.id FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
WHERE e.account_id = $1 AND e.seq = ANY($2::bigint[])
ORDER BY e.id FOR UPDATE OF d SKIP LOCKED FOR NO KEY UPDATE OF e SKIP LOCKED`;

/**
 * $1: emails. A statement of its own behind `LOCK`: it sees every attempt that was opened before, and none can be opened
 * any more. While one is under way, an email is left alone.
 */
export const READ = `
SELECT e.id, e.seq::text AS seq, e.from_mailbox AS "from", to_json(e.to_mailboxes) AS "to", to_json(e.cc_mailboxes) AS cc,
  to_json(e.bcc_mailboxes) AS bcc, to_json(e.reply_to_mailboxes) AS "replyTo", e.headers, e.message_id AS "messageId",
  d.recipients,
  d.last_event AS "lastEvent", d.attempts, d.due_at IS NULL AS finished
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
WHERE e.id = ANY($1::uuid[]) AND d.email_id = ANY($1::uuid[]) AND (d.due_at IS NULL
  OR NOT EXISTS (SELECT FROM nestjs_emails.attempts a WHERE a.email_id = e.id AND a.finished_at IS NULL))`;

/** By an index in any plan: plans outlive the statistics that they were made from. @param column the id of an email */
const isIn = (column: string, ids: string) => `${column} = ANY(ARRAY(SELECT ${ids}))`;

/** What is said by us, and of nobody. */
const FIXED_REASON = `'topic_opted_out'`;

/** @param condition of an outcome whose text goes @param item what becomes of it else */
const outcomesWithout = (condition: string, item = 'o.item') => `
  coalesce((
    SELECT jsonb_agg(CASE WHEN ${condition} THEN jsonb_set(${item}, '{reply,text}', '""') ELSE ${item} END ORDER BY o.place)
    FROM jsonb_array_elements(a.outcomes) WITH ORDINALITY AS o(item, place)
  ), '[]')`;
const HAS_OUTCOMES = `jsonb_typeof(a.outcomes) = 'array'`;

/** Whether a text has an address in it. */
const names = (text: string) => `EXISTS (SELECT FROM unnest(i.words) AS word WHERE strpos(lower(${text}), word) > 0)`;
const ITS_ADDRESS = `o.item->>'address' = ANY(i.addresses)`;
const MARKED = `CASE WHEN ${ITS_ADDRESS} THEN o.item || jsonb_build_object('address', ${MARK}) ELSE o.item END`;

/**
 * $1: JSON array of `ErasedEmail`, $2: erasure. The fence of what is owed moves on: whoever has leased it, and has opened
 * no attempt, writes nothing any more. Gives the events of those that are canceled.
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
    waits_for = CASE WHEN NOT i.over THEN d.waits_for END, waits_since = CASE WHEN NOT i.over THEN d.waits_since + 1 END
  FROM input i WHERE d.email_id = i.id
),
detached AS (
  DELETE FROM nestjs_emails.attachments a USING input i
  WHERE a.email_id = i.id AND i.cleared AND ${isIn('a.email_id', 'id FROM input')}
),
tried AS (
  UPDATE nestjs_emails.attempts a
  SET outcomes = ${outcomesWithout(`i.cleared OR ${ITS_ADDRESS} OR ${names("o.item->'reply'->>'text'")}`, MARKED)}
  FROM input i WHERE a.email_id = i.id AND ${HAS_OUTCOMES} AND ${isIn('a.email_id', 'id FROM input')}
),
told AS (
  UPDATE nestjs_emails.events v
  SET recipient = CASE WHEN v.recipient = ANY(i.addresses) THEN ${MARK} ELSE v.recipient END,
    reason = CASE WHEN v.reason = ${FIXED_REASON}
      OR NOT (i.cleared OR coalesce(v.recipient = ANY(i.addresses), false) OR ${names('v.reason')}) THEN v.reason END
  FROM input i WHERE v.email_id = i.id AND ${isIn('v.email_id', 'id FROM input')}
    AND (v.recipient = ANY(i.addresses) OR v.reason IS NOT NULL)
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

/** $1: account, $2: words, $3: numbers. */
export const FORGET_WORDS = `
DELETE FROM nestjs_emails.email_terms USING unnest($2::text[]) AS word
WHERE term = ${termHash('word', '$1::text')} AND seq = ANY($3::bigint[])`;

/** $1: erasure, $2: place, $3: whether something was passed over. */
export const PROCEED = `
UPDATE nestjs_emails.erasures SET place = $2, left_over = left_over OR $3, due_at = now() WHERE id = $1`;

/** $1: erasure, $2: milliseconds until its next round. */
export const END_ROUND = `
UPDATE nestjs_emails.erasures SET place = NULL, left_over = false, due_at = ${after('$2')} WHERE id = $1`;

/** $1: erasure. All emails were found. */
export const END_SEARCH = `
UPDATE nestjs_emails.erasures SET place = NULL, left_over = false, searched = true, due_at = now() WHERE id = $1`;

/** $1: erasure, $2: fence. The others are done too. */
export const FORGET_ADDRESS = `
UPDATE nestjs_emails.erasures SET address = NULL, due_at = now() WHERE id = $1 AND fence = $2`;

/** $1: erasure, $2: fence. There is more for the others to do. */
export const GO_ON = 'UPDATE nestjs_emails.erasures SET due_at = now() WHERE id = $1 AND fence = $2';

const IS_WHOLE = `e.html IS NOT NULL OR e.text IS NOT NULL OR e.subject <> '' OR e.headers::text <> '[]'`;
/** An email `e` as it is when its remainder `i` is cleared. */
const AS_CLEARED = {
  subject: "CASE WHEN i.content THEN '' ELSE e.subject END",
  headers: "CASE WHEN i.content THEN '[]' ELSE e.headers END",
  from: `CASE WHEN i.sender THEN ${MARK} ELSE e.from_mailbox END`,
  messageId: `CASE WHEN i.message_id THEN '<' || e.id || '${MARK_DOMAIN}>' ELSE e.message_id END`,
};

/**
 * $1: erasure, $2: place, $3: how many are looked at. Gives the place that it comes to, null when there are no more, the emails
 * as they are now, and contents that they referred to. May be done again: what others keep of them is still to go.
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
tried AS (
  UPDATE nestjs_emails.attempts a SET outcomes = ${outcomesWithout('true')}
  FROM i WHERE a.email_id = i.email_id AND (i.content OR i.sender OR i.message_id) AND ${HAS_OUTCOMES}
),
told AS (
  UPDATE nestjs_emails.events v SET reason = NULL FROM i
  WHERE v.email_id = i.email_id AND (i.content OR i.sender OR i.message_id)
    AND v.reason IS NOT NULL AND v.reason <> ${FIXED_REASON}
)
SELECT min(seq)::text AS place, (
    SELECT coalesce(json_agg(json_build_object('id', e.id, 'messageId', ${AS_CLEARED.messageId}, 'from', ${AS_CLEARED.from},
      'to', e.to_mailboxes, 'cc', e.cc_mailboxes, 'bcc', e.bcc_mailboxes, 'subject', ${AS_CLEARED.subject},
      'headers', ${AS_CLEARED.headers}, 'isCleared', i.content)), '[]')
    FROM i JOIN nestjs_emails.emails e ON e.id = i.email_id
  ) AS emails, (SELECT coalesce(json_agg(DISTINCT content_hash), '[]') FROM detached) AS contents
FROM batch`;

/** $1: erasure, $2: emails. */
export const FORGET_REMAINDERS = `
DELETE FROM nestjs_emails.erasure_remainders WHERE erasure_id = $1 AND email_id = ANY($2::uuid[])`;

/** $1: emails. Contents of their attachments. */
export const FIND_CONTENTS = `
SELECT DISTINCT content_hash AS hash FROM nestjs_emails.attachments WHERE email_id = ANY($1::uuid[])`;

/** $1: hashes. Until the end of the transaction no email begins to refer to one of those that it gives. */
export const LOCK_CONTENTS = `
SELECT hash FROM nestjs_emails.attachment_contents WHERE hash = ANY($1::text[]) AND slice = 0
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

/** $1: erasure. Milliseconds until the first of what remains is due, or was; null when nothing remains. */
export const NEXT_REMAINDER = `
SELECT extract(epoch FROM min(coalesce(d.due_at, now())) - now())::float8 * 1000 AS wait
FROM (SELECT email_id FROM nestjs_emails.erasure_remainders WHERE erasure_id = $1 LIMIT 1000) AS r
JOIN nestjs_emails.deliveries d ON d.email_id = r.email_id`;

/** $1: erasure. */
export const FINISH = 'UPDATE nestjs_emails.erasures SET place = NULL, due_at = NULL WHERE id = $1';
