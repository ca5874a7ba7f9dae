import { FIRST_STATE } from '../../states/email-states.js';
import { accountHash, BETWEEN_TERMS, hashIn } from '../email-terms.js';
import { isToGo } from '../erase/erasure.sql.js';

/*
 * Hand-written because one statement writes a group of emails with all their rows: POST is 4.6 times as fast as
 * `repository.save` and `queue.add` with the queue in PostgreSQL, 3.6 times in Redis (docs/bench.md, `post-postgres`
 * and `post-redis`).
 */

/**
 * First key of the advisory lock that keeps an account's commits in the order of `seq`. The second key is the account.
 */
const LIST_ORDER = 0x656d_6c73;
const ACCOUNT = 'hashtext("accountId")';

/** Milliseconds since 1970. */
const milliseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000)::float8`;

/** Advisory lock of an idempotency key, held until the claiming transaction ends. Null without a key. */
const KEY = `hashtextextended(idempotency->>'key', hashtextextended("accountId", ${0x656d_6c6b}))`;

/**
 * Advisory lock of a caller's message id, held until the writing transaction ends. Null when the id contains the
 * email's id.
 */
const MESSAGE_ID = `CASE WHEN strpos("messageId", id::text) = 0
  THEN hashtextextended("messageId", hashtextextended("accountId", ${0x656d_6c6d})) END`;

/**
 * Lock timeout for a key that was claimed without its lock, by a transaction that holds too many locks. It is shorter
 * than PostgreSQL's `deadlock_timeout` of a second, so that the other transaction is never the one that fails.
 */
const BOUNDS = `(SELECT set_config('lock_timeout', $2, true)) AS bounds, `;

/**
 * Locks that may be busy. The planner assumes that this comparison holds for few rows; otherwise it would plan for one
 * email.
 */
const LOCKS = "('{key,message_id,account,gone}'::text[])";

/** The terms of an input email, and the hash of one. */
const TERMS = `unnest(string_to_array(terms, chr(${BETWEEN_TERMS.charCodeAt(0)}))) AS term`;
const HASH = hashIn('term', 'account_hash');

/** @param isLater SQL condition that an email is due later */
const firstState = (isLater: string) =>
  `CASE WHEN ${isLater} THEN '${FIRST_STATE.later}' ELSE '${FIRST_STATE.now}' END`;

/** A provisional number for an email that is numbered later. */
const NEGATIVE = "-nextval(pg_get_serial_sequence('nestjs_emails.emails', 'seq'))";

/** The email's own lock that another transaction holds. For a null lock the attempt is neither true nor false. */
const TRY_OWN = `WHEN NOT pg_try_advisory_xact_lock(${KEY}) THEN 'key'
  WHEN NOT pg_try_advisory_xact_lock(${MESSAGE_ID}) THEN 'message_id'`;
const TRY_ACCOUNT = `pg_try_advisory_xact_lock(${LIST_ORDER}, ${ACCOUNT})`;

/**
 * Waits for the accounts, in turn with other transactions. It runs after the bounds are set and after the claims, which
 * may have to wait longer.
 */
const AWAIT_ACCOUNTS = `
  SELECT pg_advisory_xact_lock(${LIST_ORDER}, account)
  FROM (SELECT count(*) FROM claimed) AS claims, (SELECT DISTINCT ${ACCOUNT} AS account FROM input ORDER BY 1) AS accounts`;

interface Accept {
  /** SQL that limits the wait for locks. */
  bounds: string;
  /** SQL that acquires the email's locks. Returns the one that another transaction holds, from `LOCKS`, or nothing. */
  busy: string;
  /** Locks that are acquired after the claims and before the emails are numbered. Default: none. */
  ordered?: string;
  /**
   * True if the emails are numbered only at the commit, by the trigger, and can be found from then on. Default: false.
   * Then the host's driver sends the statement, and some drivers turn a `json` parameter into JSON again.
   */
  numberLater?: boolean;
  /** One key for all emails, which are written together or not at all. Default: a key for each. */
  whole?: Whole;
}

/** How the emails of a whole answer are accepted: their locks are acquired together. */
interface Whole {
  /** The parameter with the `WholeClaim`, as JSON. */
  claim: string;
  /** True if html and text are copied from another email. */
  copies?: boolean;
}

/** The claim of a whole answer. */
const claimOf = ({ claim, copies }: Whole, { bounds, busy }: Pick<Accept, 'bounds' | 'busy'>) => `
claim AS MATERIALIZED (
  SELECT c.*, ${copies ? `CASE WHEN ${IS_GONE} THEN 'gone' ELSE ${busy} END` : busy} AS busy
  FROM ${bounds}json_to_record(${claim}::json) AS c(
    "accountId" text, endpoint text, key text, "requestHash" text, answer jsonb, retention float8,
    source uuid, "hasHtml" boolean, "hasText" boolean, attachments integer, action json)
),`;

/**
 * Whether retention removed parts of the copied email, or an erasure is about to remove a person from it, since it was
 * read. From now on retention cannot remove it: it would have to delete the locked attachments.
 */
const IS_GONE = `(SELECT count(*) FROM (
      SELECT FROM nestjs_emails.attachments a WHERE a.email_id = c.source FOR KEY SHARE) AS locked) <> c.attachments
    OR NOT EXISTS (SELECT FROM nestjs_emails.emails s
      WHERE s.id = c.source AND (s.html IS NOT NULL) = c."hasHtml" AND (s.text IS NOT NULL) = c."hasText"
        AND s.subject <> '' AND NOT ${isToGo('s')})`;

const CLAIM_KEYS = `
  INSERT INTO nestjs_emails.idempotency_keys AS k (account_id, key, request_hash, email_id, expires_at)
  SELECT DISTINCT ON ("accountId", idempotency->>'key') "accountId", idempotency->>'key', idempotency->>'requestHash', id,
    now() + (idempotency->>'retention')::float8 * interval '1 millisecond'
  FROM input
  WHERE busy <> ALL ${LOCKS} AND idempotency->>'key' IS NOT NULL
  ORDER BY "accountId", idempotency->>'key', position
  ON CONFLICT (account_id, key) DO UPDATE
    SET request_hash = excluded.request_hash, email_id = excluded.email_id, expires_at = excluded.expires_at
    WHERE k.expires_at <= now()
  RETURNING email_id`;

const CLAIM_ANSWER = `
  INSERT INTO nestjs_emails.idempotent_answers AS k (account_id, endpoint, key, request_hash, answer, expires_at)
  SELECT "accountId", endpoint, key, "requestHash", answer, now() + retention * interval '1 millisecond'
  FROM claim
  WHERE busy <> ALL ${LOCKS} AND key IS NOT NULL
  ON CONFLICT (account_id, endpoint, key) DO UPDATE
    SET request_hash = excluded.request_hash, answer = excluded.answer, expires_at = excluded.expires_at
    WHERE k.expires_at <= now()
  RETURNING key`;

const HAS_ITS_KEY = `(idempotency->>'key' IS NULL OR id IN (SELECT email_id FROM claimed))`;
const HAVE_THEIR_KEY = '((SELECT key FROM claim) IS NULL OR EXISTS (SELECT FROM claimed))';

const BUSY_EMAILS = `SELECT id, NULL, NULL, NULL, NULL, busy FROM input WHERE busy = ANY ${LOCKS}`;
/** The reason why none of them is written; `taken`: another request has the key. */
const WHOLE_BUSY = `SELECT NULL, NULL, NULL, NULL, NULL,
  CASE WHEN busy = ANY ${LOCKS} THEN busy WHEN NOT ${HAVE_THEIR_KEY} THEN 'taken' END FROM claim`;

/** Null for an email with content. */
const EMPTY = 'CASE WHEN html IS NULL AND text IS NULL AND attachments IS NULL THEN true END';
/**
 * The hash of a content, protected from deletion until the commit. A content that an erasure deleted since it was put
 * fails with SQLSTATE 55P03; the caller then sends it again. A content outside PostgreSQL is in the host's own storage.
 */
const KEPT = `CASE WHEN a.item->>'contentHash' IN (SELECT hash FROM kept) THEN a.item->>'contentHash'
      ELSE nestjs_emails.content_elsewhere(a.item->>'contentHash') END`;

/** A column of the email whose content is copied. */
const copied = (column: 'html' | 'text' | 'accepted_empty') =>
  `(SELECT s.${column} FROM nestjs_emails.emails s WHERE s.id = input."resentFrom")`;

/** The action of a caller who has an email copied. */
const RECORDED = `,
acted AS (
  INSERT INTO nestjs_emails.actions (id, account_id, action, source, key_id, session_id, ids, count)
  SELECT a.id, a."accountId", a.action, a.source, a."keyId", a."sessionId", a.ids, a.count
  FROM claim, json_to_record(claim.action) AS a(
    id uuid, "accountId" text, action text, source text, "keyId" text, "sessionId" text, ids text[], count integer)
  WHERE claim.action IS NOT NULL AND EXISTS (SELECT FROM pending)
)`;

/**
 * All statements acquire locks in the same order: keys, message ids, then accounts in the order of their hashes. An
 * email that would have to wait for long is left out, and its `busy` lock is returned.
 */
const accept = ({ bounds, busy, ordered, numberLater = false, whole }: Accept) => `
WITH ${whole ? claimOf(whole, { bounds, busy }) : ''}input AS MATERIALIZED (
  SELECT r.*, row_number() OVER () AS position, greatest(r."scheduledAt", now()) AS due_at,
    ${accountHash('r."accountId"')} AS account_hash,
    ${whole ? 'claim.busy' : `${busy} AS busy`}
  FROM ${whole ? 'claim, ' : bounds}json_to_recordset($1::${numberLater ? 'text::' : ''}json) AS r(
    id uuid, "accountId" text, "messageId" text, "from" text, "to" text[], cc text[], bcc text[], "replyTo" text[],
    subject text, html text, text text, headers jsonb, tags jsonb, "topicId" uuid, "templateId" text, "scheduledAt" timestamptz,
     recipients jsonb, terms text, attachments jsonb, "apiKeyId" text, "domainId" text, sensitive boolean, "isBulk" boolean,
     ${whole ? '"resentFrom" uuid' : 'idempotency jsonb'})
),
claimed AS (${whole ? CLAIM_ANSWER : CLAIM_KEYS}
),
${
  ordered
    ? `ordered AS MATERIALIZED (${ordered}),
`
    : ''
}accepted AS (
  INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
    reply_to_mailboxes, subject, html, text, headers, tags, topic_id, template_id, scheduled_at, created_at, api_key_id, domain_id,
    accepted_empty, sensitive${numberLater ? ', seq, pending_terms' : ''}${whole?.copies ? ', resent_from' : ''})
  SELECT id, "accountId", "messageId", "from", "to", coalesce(cc, '{}'), coalesce(bcc, '{}'), coalesce("replyTo", '{}'),
    subject, ${whole?.copies ? `${copied('html')}, ${copied('text')}` : 'html, text'}, coalesce(headers, '[]'),
    coalesce(tags, '[]'), "topicId", "templateId",
    "scheduledAt", clock_timestamp(), "apiKeyId", "domainId", ${whole?.copies ? copied('accepted_empty') : EMPTY}, sensitive${
      numberLater ? `, ${NEGATIVE}, ARRAY(SELECT ${HASH} FROM ${TERMS})` : ''
    }${whole?.copies ? ', "resentFrom"' : ''}
  FROM input${ordered ? ', (SELECT count(*) FROM ordered) AS orders' : ''}
  WHERE busy <> ALL ${LOCKS} AND ${whole ? HAVE_THEIR_KEY : HAS_ITS_KEY}
  ORDER BY position
  RETURNING id, seq
),
pending AS (
  INSERT INTO nestjs_emails.deliveries (email_id, last_event, due_at, recipients, sensitive, bulk${numberLater ? '' : ', account, seq'})
  SELECT id, ${firstState('due_at > now()')}, due_at, recipients, sensitive, "isBulk"${numberLater ? '' : ', account_hash, seq'}
  FROM accepted JOIN input USING (id)
  RETURNING email_id, last_event, due_at, nextval('nestjs_emails.events_id_seq') AS event_id,
    clock_timestamp() AS event_at
),
${
  numberLater
    ? ''
    : `findable AS (
  INSERT INTO nestjs_emails.email_terms (term, seq)
  SELECT ${HASH}, seq FROM accepted JOIN input USING (id), ${TERMS}
),
`
}kept AS MATERIALIZED (
  SELECT hash FROM nestjs_emails.attachment_contents WHERE slice = 0 AND hash = ANY(ARRAY(
    SELECT item->>'contentHash' FROM input, jsonb_array_elements(input.attachments) AS item)) FOR KEY SHARE
),
attached AS (
  INSERT INTO nestjs_emails.attachments (email_id, position, filename, content_type, content_id, content_hash, size)
  SELECT id, a.ordinality, a.item->>'filename', a.item->>'contentType', a.item->>'contentId', ${KEPT},
    (a.item->>'size')::integer
  FROM accepted JOIN input USING (id), jsonb_array_elements(input.attachments) WITH ORDINALITY AS a(item, ordinality)
),
recorded AS (
  INSERT INTO nestjs_emails.events (id, email_id, type, occurred_at) SELECT event_id, email_id, last_event, event_at FROM pending
)${whole?.copies ? RECORDED : ''}
SELECT email_id AS id, greatest(extract(epoch FROM due_at - clock_timestamp()) * 1000, 0)::float8 AS delay,
  last_event AS "firstEvent", event_id::text AS "eventId", ${milliseconds('event_at')} AS "eventAt", NULL AS busy
FROM pending
UNION ALL ${whole ? WHOLE_BUSY : BUSY_EMAILS}`;

/**
 * $1: JSON array of `NewEmail`, $2: limit of each wait for a lock, as `lock_timeout` expects it. Does not wait for keys
 * or message ids. Waits for each account in turn with other processes. Returns a row for each email that was written,
 * and one for each with a `busy` lock. Fails with SQLSTATE 23505 when the account already has a given message id.
 *
 * The account's lock is held until the commit, so that within an account a smaller `seq` is never committed after a
 * larger one: a reader that pages upwards cannot miss an email that was numbered early and committed late.
 */
export const ACCEPT = accept({
  bounds: BOUNDS,
  busy: `CASE ${TRY_OWN} ELSE '' END`,
  ordered: AWAIT_ACCOUNTS,
});

/** The same, without waiting for accounts. */
export const ACCEPT_FREE = accept({
  bounds: BOUNDS,
  busy: `CASE ${TRY_OWN} WHEN NOT ${TRY_ACCOUNT} THEN 'account' ELSE '' END`,
});

/**
 * The same for a transaction of unknown length, which must not hold the account's lock. The emails have negative
 * numbers until the commit, when the trigger `number_at_commit` acquires the lock and numbers them.
 */
export const ACCEPT_WITHIN = accept({
  bounds: '',
  // Waits for the key and the message id. An acquired lock is never null.
  busy: `CASE WHEN nestjs_emails.join_transaction("accountId", ${KEY}) IS NULL THEN 'key'
    WHEN nestjs_emails.hold_lock(${MESSAGE_ID}) IS NULL THEN 'message_id' ELSE '' END`,
  numberLater: true,
});

/** Advisory lock of the key of a whole answer. Null without a key. */
const WHOLE_KEY = `hashtextextended(key, hashtextextended(endpoint, hashtextextended("accountId", ${0x656d_616e})))`;
const TRY_WHOLE_KEY = `pg_try_advisory_xact_lock(${WHOLE_KEY})`;

const WHOLE_IN_TURN = {
  bounds: BOUNDS,
  busy: `CASE WHEN NOT ${TRY_WHOLE_KEY} THEN 'key' ELSE '' END`,
  ordered: AWAIT_ACCOUNTS,
};
const WHOLE_FREE = {
  bounds: BOUNDS,
  busy: `CASE WHEN NOT ${TRY_WHOLE_KEY} THEN 'key' WHEN NOT ${TRY_ACCOUNT} THEN 'account' ELSE '' END`,
};

/**
 * $1, $2: as for `ACCEPT`, $3: `WholeClaim`. Returns a row for each email that was written, and one with the `busy`
 * lock of all.
 */
export const ACCEPT_WHOLE = accept({ ...WHOLE_IN_TURN, whole: { claim: '$3' } });

/** The same, without waiting for accounts. */
export const ACCEPT_WHOLE_FREE = accept({ ...WHOLE_FREE, whole: { claim: '$3' } });

/** The same for a transaction of unknown length, as `ACCEPT_WITHIN`. $2: `WholeClaim`. */
export const ACCEPT_WHOLE_WITHIN = accept({
  bounds: '',
  busy: `CASE WHEN nestjs_emails.join_transaction("accountId", ${WHOLE_KEY}) IS NULL THEN 'key' ELSE '' END`,
  numberLater: true,
  whole: { claim: '$2::text' },
});

/** As `ACCEPT_WHOLE`, with html and text copied from another email within the database. */
export const ACCEPT_COPY = accept({ ...WHOLE_IN_TURN, whole: { claim: '$3', copies: true } });

/** The same, without waiting for accounts. */
export const ACCEPT_COPY_FREE = accept({ ...WHOLE_FREE, whole: { claim: '$3', copies: true } });

/** $1: ids. Returns those that are emails, with the data of their acceptance. */
export const FIND_ACCEPTED = `
SELECT id, ${firstState('scheduled_at > created_at')} AS "firstEvent",
  greatest(extract(epoch FROM scheduled_at - clock_timestamp()) * 1000, 0)::float8 AS delay,
  event_id::text AS "eventId", "eventAt"
FROM nestjs_emails.emails, LATERAL (
  SELECT v.id AS event_id, ${milliseconds('v.occurred_at')} AS "eventAt" FROM nestjs_emails.events v
  WHERE v.email_id = emails.id ORDER BY v.id LIMIT 1
) AS first_event
WHERE id = ANY($1)`;

/** $1: ids. Emails that are not over, each with the milliseconds until it is due. Paused ones are due at infinity. */
export const WAKE_UPS = `
SELECT d.email_id AS "emailId", e.account_id AS "accountId", d.fence, d.bulk IS TRUE AS "isBulk",
  greatest(extract(epoch FROM d.due_at - now())::float8 * 1000, 0) AS delay
FROM nestjs_emails.deliveries d JOIN nestjs_emails.emails e ON e.id = d.email_id
WHERE d.email_id = ANY($1::uuid[]) AND coalesce(d.due_at, 'infinity') < 'infinity'`;
