/*
 * Hand-written because one statement a second folds the emails of many accounts and returns the counts of all others that
 * changed.
 */

/** Newest emails of an account that count when it is seen for the first time, so that this never takes long. */
const FIRST_LOOK = 100_000;

const TODAY = "(now() AT TIME ZONE 'UTC')::date";
const MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";
const dayOf = (time: string) => `(${time} AT TIME ZONE 'UTC')::date`;

/** $1: accounts. Begins their counts with this month. */
export const BEGIN = `
INSERT INTO nestjs_emails.quota_counts (account_id, counted_seq, day, month)
SELECT asked.account_id, before.seq, ${TODAY}, ${MONTH}
FROM unnest($1::text[]) AS asked (account_id)
CROSS JOIN LATERAL (
  SELECT greatest(0, max(seq) FILTER (WHERE ${dayOf('created_at')} < ${MONTH}),
    CASE WHEN count(*) = ${FIRST_LOOK} THEN min(seq) END) AS seq
  FROM (
    SELECT seq, created_at FROM nestjs_emails.emails WHERE account_id = asked.account_id AND seq > 0
    ORDER BY seq DESC LIMIT ${FIRST_LOOK}) AS newest
) AS before
WHERE NOT EXISTS (SELECT FROM nestjs_emails.quota_counts known WHERE known.account_id = asked.account_id)
ORDER BY asked.account_id ON CONFLICT DO NOTHING`;

const COUNTS = `account_id AS "accountId", day::text AS day, of_day::float8 AS "ofDay", month::text AS month,
  of_month::float8 AS "ofMonth", (extract(epoch FROM changed_at) * 1000)::float8 AS "changedAt"`;

/**
 * $1: accounts, $2: limit of emails of each, $3: milliseconds since 1970. Counts the new emails of the accounts: the commits
 * of an account have the order of `seq`, so that none is left out. An account that another process counts is left to it.
 * Returns the counts of these accounts and of all that changed since that time; a later row of an account counts.
 */
export const FOLD = `
WITH mine AS MATERIALIZED (
  SELECT account_id, counted_seq, day, of_day, month, of_month FROM nestjs_emails.quota_counts
  WHERE account_id = ANY($1) ORDER BY account_id FOR UPDATE SKIP LOCKED
),
fresh AS (
  SELECT mine.account_id, count(*) AS emails, max(e.seq) AS seq,
    coalesce(sum(e.recipients) FILTER (WHERE ${dayOf('e.created_at')} = ${TODAY}), 0) AS of_day,
    coalesce(sum(e.recipients) FILTER (WHERE ${dayOf('e.created_at')} >= ${MONTH}), 0) AS of_month
  FROM mine CROSS JOIN LATERAL (
    SELECT e.seq, e.created_at, jsonb_array_length(d.recipients) AS recipients
    FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
    WHERE e.account_id = mine.account_id AND e.seq > mine.counted_seq ORDER BY e.seq LIMIT $2) AS e
  GROUP BY mine.account_id
),
counted AS (
  UPDATE nestjs_emails.quota_counts AS q SET counted_seq = fresh.seq, day = ${TODAY}, month = ${MONTH},
    of_day = CASE WHEN mine.day = ${TODAY} THEN mine.of_day ELSE 0 END + fresh.of_day,
    of_month = CASE WHEN mine.month = ${MONTH} THEN mine.of_month ELSE 0 END + fresh.of_month,
    changed_at = clock_timestamp()
  FROM fresh JOIN mine USING (account_id) WHERE q.account_id = fresh.account_id
  RETURNING q.account_id, q.day, q.of_day, q.month, q.of_month, q.changed_at, fresh.emails
)
SELECT ${COUNTS}, false AS "isMore" FROM nestjs_emails.quota_counts WHERE account_id = ANY($1)
UNION ALL
SELECT ${COUNTS}, false FROM nestjs_emails.quota_counts WHERE changed_at >= to_timestamp($3::float8 / 1000)
UNION ALL
SELECT ${COUNTS}, emails >= $2 FROM counted`;

/** $1: recipients of this day, $2: of this month. Counts of at least one of them. */
export const CURRENT = `
SELECT account_id AS "accountId", CASE WHEN day = ${TODAY} THEN of_day ELSE 0 END::float8 AS "ofDay", of_month::float8 AS "ofMonth"
FROM nestjs_emails.quota_counts
WHERE month = ${MONTH} AND (of_month >= $2::float8 OR day = ${TODAY} AND of_day >= $1::float8)`;
