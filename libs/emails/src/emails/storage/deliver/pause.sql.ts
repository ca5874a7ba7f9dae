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

/**
 * $1: scope, $2: subject, $3: limit of the answer. Makes emails of that scope due now, and returns the oldest. Those with
 * another pause are kept again when they are leased.
 */
const release = (waiting: string) => `
WITH released AS (
  UPDATE nestjs_emails.deliveries d SET due_at = now(), waits_for = NULL, waits_from = NULL
  FROM nestjs_emails.emails e WHERE ${waiting} AND e.id = d.email_id AND ${IS_IN_SCOPE}
  RETURNING d.email_id, e.account_id, d.fence, e.seq, d.bulk
)
SELECT email_id AS "emailId", account_id AS "accountId", fence, bulk IS TRUE AS "isBulk" FROM released ORDER BY seq LIMIT $3`;

/** All kept emails are read, in the order of the index of due emails. */
export const RELEASE_PAUSED = release("d.due_at = 'infinity'");

/** Emails that wait for another transport, which is down, after the end of the pause of a transport. */
export const RELEASE_WAITING = release('d.waits_for IS NOT NULL');

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
