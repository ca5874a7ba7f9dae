import { PENDING } from './pending.sql.js';

/*
 * Pauses. `LEASE` makes an email of a pause due at infinity when it falls due, so that no look finds it any more, and
 * `RELEASE_PAUSED` ends that.
 */

/**
 * The pauses `p` of an email `e`, whatever their transports: a part of a FROM clause. Pauses are found by their primary
 * key, as a reputation may hold hundreds of accounts.
 */
export const PAUSES_OF_EMAIL = `(VALUES ('all', ''), ('account', e.account_id), ('topic', e.topic_id::text), ('template', e.template_id))
    AS s(scope, subject) JOIN nestjs_emails.pauses p ON p.scope = s.scope AND p.subject = s.subject`;

/** Evaluated once per statement: without any pause, the others cost one look at an empty table. */
export const ANY_PAUSE = '(SELECT EXISTS (SELECT FROM nestjs_emails.pauses))';

/**
 * When to look again at an email with a pause whose row another transaction has locked: a pause that is ending, or that somebody
 * looks at. Spread, as thousands of emails may have it.
 */
export const AFTER_LOCKED_PAUSE = `clock_timestamp() + (5 + 5 * random()) * interval '1 second'`;

/** $1: scope, $2: subject, $3: transport, $4: reason. An existing pause keeps its time. Returns whether it is new. */
export const PAUSE = `
INSERT INTO nestjs_emails.pauses (scope, subject, transport, reason) VALUES ($1, $2, $3, $4)
ON CONFLICT (scope, subject, transport) DO UPDATE SET reason = excluded.reason
RETURNING xmax = 0 AS "isNew"`;

/**
 * $1: scope, $2: subject, $3: transport. Waits for statements that have read the pause, so that the next one sees the
 * emails that they kept.
 */
export const END_PAUSE =
  'DELETE FROM nestjs_emails.pauses WHERE scope = $1 AND subject = $2 AND transport = $3 RETURNING true';

/** $1: scope, $2: subject. */
const IS_IN_SCOPE = `CASE $1::text WHEN 'all' THEN true WHEN 'account' THEN e.account_id = $2
    WHEN 'topic' THEN e.topic_id::text = $2 ELSE e.template_id = $2 END`;

/** No pause of `covering` keeps an email `e`. One condition for each scope, so that each is one hash of hundreds of pauses. */
const IS_FREE = `NOT EXISTS (SELECT FROM covering c WHERE c.scope = 'all')
    AND NOT EXISTS (SELECT FROM covering c WHERE c.scope = 'account' AND c.subject = e.account_id)
    AND NOT EXISTS (SELECT FROM covering c WHERE c.scope = 'topic' AND c.subject = e.topic_id::text)
    AND NOT EXISTS (SELECT FROM covering c WHERE c.scope = 'template' AND c.subject = e.template_id)`;

/** Makes an email due now. Its pending recipients keep the age at which that was: what is left of their retries counts from there. */
const DUE_NOW = `due_at = now(), waits_for = NULL, waits_from = NULL, recipients = (
    SELECT coalesce(jsonb_agg(CASE WHEN r->>'status' IN ${PENDING} THEN r || jsonb_build_object('resumedAge',
      round(extract(epoch FROM now() - greatest(e.scheduled_at, e.created_at)) * 1000)) ELSE r END ORDER BY at), '[]')
    FROM jsonb_array_elements(d.recipients) WITH ORDINALITY AS list(r, at))`;

/** $1: scope, $2: subject, $3: limit of the answer. Makes emails of that scope due now, and returns the oldest. */
const release = (covering: string, waiting: string) => `
WITH ${covering}released AS (
  UPDATE nestjs_emails.deliveries d SET ${DUE_NOW}
  FROM nestjs_emails.emails e WHERE ${waiting} AND e.id = d.email_id AND ${IS_IN_SCOPE}
  RETURNING d.email_id, e.account_id, d.fence, e.seq, d.bulk
)
SELECT email_id AS "emailId", account_id AS "accountId", fence, bulk IS TRUE AS "isBulk" FROM released ORDER BY seq LIMIT $3`;

/**
 * All kept emails are read, in the order of the index of due emails. Those that another pause keeps stay; its end waits for this
 * one. If it is ending already, its row is locked, and both release them.
 */
export const RELEASE_PAUSED = release(
  `covering AS MATERIALIZED (
  SELECT scope, subject FROM nestjs_emails.pauses WHERE transport = '' AND (scope <> $1 OR subject = $2)
  FOR KEY SHARE SKIP LOCKED
),
`,
  `d.due_at = 'infinity' AND ${IS_FREE}`,
);

/** Emails that wait for another transport, which is down, after the end of the pause of a transport. */
export const RELEASE_WAITING = release('', 'd.waits_for IS NOT NULL');

/**
 * Makes emails due that are kept for paused transports alone: the transports that may take them can be others by now. Without a
 * pause of a transport it reads nothing else.
 */
export const RELEASE_KEPT_FOR_TRANSPORTS = `
WITH covering AS MATERIALIZED (SELECT scope, subject FROM nestjs_emails.pauses WHERE transport = ''),
found AS MATERIALIZED (
  SELECT d.email_id FROM nestjs_emails.deliveries d JOIN nestjs_emails.emails e ON e.id = d.email_id
  WHERE (SELECT EXISTS (SELECT FROM nestjs_emails.pauses WHERE transport <> '')) AND d.due_at = 'infinity' AND ${IS_FREE}
  ORDER BY d.email_id FOR UPDATE OF d SKIP LOCKED
)
UPDATE nestjs_emails.deliveries d SET ${DUE_NOW}
FROM found JOIN nestjs_emails.emails e ON e.id = found.email_id WHERE d.email_id = found.email_id`;

/**
 * $1: scope, $2: subject, $3: transport, $4: limit of the count, $5: limit of the accounts. Counts emails of that scope
 * that are due or kept, except those with another pause of all transports.
 */
export const PAUSED_MAIL = `
WITH due AS MATERIALIZED (
  SELECT email_id FROM nestjs_emails.deliveries WHERE due_at <= now() ORDER BY due_at LIMIT (SELECT $4::bigint)
),
kept AS MATERIALIZED (
  SELECT email_id FROM nestjs_emails.deliveries WHERE due_at = 'infinity' ORDER BY due_at LIMIT (SELECT $4::bigint)
),
found AS (
  SELECT e.account_id FROM (SELECT email_id FROM due UNION ALL SELECT email_id FROM kept LIMIT $4) AS waiting
  JOIN nestjs_emails.emails e ON e.id = waiting.email_id
  WHERE ${IS_IN_SCOPE} AND NOT EXISTS (
    SELECT FROM ${PAUSES_OF_EMAIL}
    WHERE p.transport = '' AND (p.scope, p.subject, p.transport) <> ($1, $2, $3::text)
  )
)
SELECT account_id AS "accountId", count(*)::integer AS count, (sum(count(*)) OVER ())::integer AS total
FROM found GROUP BY account_id ORDER BY count(*) DESC, account_id LIMIT $5`;
