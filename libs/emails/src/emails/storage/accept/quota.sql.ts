/* Hand-written because one statement a second folds the emails of many accounts. */

/** Newest emails of an account that count when it is seen for the first time, so that this never takes long. */
const FIRST_LOOK = 100_000;

const TODAY = "(now() AT TIME ZONE 'UTC')::date";
const MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";
const dayOf = (time: string) => `(${time} AT TIME ZONE 'UTC')::date`;

/** Columns of an email `e`. A join might read all deliveries for a few emails. */
const EMAIL = `e.seq, ${dayOf('e.created_at')} AS day,
      (SELECT jsonb_array_length(recipients) FROM nestjs_emails.deliveries WHERE email_id = e.id) AS recipients`;
const SUMS = `coalesce(sum(recipients) FILTER (WHERE day = ${TODAY}), 0) AS of_day,
    coalesce(sum(recipients) FILTER (WHERE day >= ${MONTH}), 0) AS of_month`;

/** The count of the row `q` and what is new since. */
const ofDay = (fresh: string) => `CASE WHEN q.day = ${TODAY} THEN q.of_day ELSE 0 END + ${fresh}.of_day`;
const ofMonth = (fresh: string) => `CASE WHEN q.month = ${MONTH} THEN q.of_month ELSE 0 END + ${fresh}.of_month`;

/** $1: accounts. Begins their counts with this month. */
export const BEGIN = `
INSERT INTO nestjs_emails.quota_counts (account_id, counted_seq, day, month)
SELECT asked.account_id, before.seq, ${TODAY}, ${MONTH}
FROM unnest($1::text[]) AS asked (account_id)
CROSS JOIN LATERAL (
  SELECT greatest(0, max(seq) FILTER (WHERE ${dayOf('created_at')} < ${MONTH}),
    CASE WHEN count(*) = ${FIRST_LOOK} THEN min(seq) - 1 END) AS seq
  FROM (
    SELECT seq, created_at FROM nestjs_emails.emails WHERE account_id = asked.account_id AND seq > 0
    ORDER BY seq DESC LIMIT ${FIRST_LOOK}) AS newest
) AS before
ORDER BY asked.account_id ON CONFLICT DO NOTHING`;

/** $1: accounts. Their counts with the emails that are not counted yet. Locks and writes nothing. */
export const READ = `
SELECT asked.account_id AS "accountId", ${TODAY}::text AS day, (${ofDay('fresh')})::float8 AS "ofDay",
  ${MONTH}::text AS month, (${ofMonth('fresh')})::float8 AS "ofMonth"
FROM unnest($1::text[]) AS asked (account_id)
LEFT JOIN nestjs_emails.quota_counts q ON q.account_id = asked.account_id
CROSS JOIN LATERAL (
  SELECT ${SUMS}
  FROM (
    SELECT ${EMAIL}
    FROM nestjs_emails.emails e WHERE e.account_id = asked.account_id AND e.seq > coalesce(q.counted_seq, 0)
    ORDER BY e.seq DESC LIMIT ${FIRST_LOOK}) AS uncounted
) AS fresh`;

const COUNTS = `account_id AS "accountId", day::text AS day, of_day::float8 AS "ofDay", month::text AS month,
  of_month::float8 AS "ofMonth"`;

/**
 * $1: accounts, $2: limit of emails of each. Counts the new emails of the accounts: the commits of an account have the
 * order of `seq`, so that none is left out. An account that another process counts is left to it. Returns the counts of
 * these accounts; a later row of an account counts.
 */
export const FOLD = `
WITH mine AS MATERIALIZED (
  SELECT account_id, counted_seq FROM nestjs_emails.quota_counts
  WHERE account_id = ANY($1) ORDER BY account_id FOR UPDATE SKIP LOCKED
),
fresh AS (
  SELECT mine.account_id, count(*) AS emails, max(seq) AS seq, ${SUMS}
  FROM mine
  CROSS JOIN LATERAL (
    SELECT ${EMAIL}
    FROM nestjs_emails.emails e WHERE e.account_id = mine.account_id AND e.seq > mine.counted_seq
    ORDER BY e.seq LIMIT $2) AS uncounted
  GROUP BY mine.account_id
),
counted AS (
  UPDATE nestjs_emails.quota_counts AS q SET counted_seq = fresh.seq, day = ${TODAY}, month = ${MONTH},
    of_day = ${ofDay('fresh')}, of_month = ${ofMonth('fresh')}, changed_at = clock_timestamp()
  FROM fresh WHERE q.account_id = fresh.account_id
  RETURNING q.account_id, q.day, q.of_day, q.month, q.of_month, fresh.emails
)
SELECT ${COUNTS}, false AS "isMore" FROM nestjs_emails.quota_counts WHERE account_id = ANY($1)
UNION ALL
SELECT ${COUNTS}, emails >= $2 FROM counted`;

/** $1: accounts, $2: milliseconds since 1970. Counts of these accounts, and of those that changed since that time. */
export const CHANGED = `
SELECT account_id AS "accountId", CASE WHEN day = ${TODAY} THEN of_day ELSE 0 END::float8 AS "ofDay", of_month::float8 AS "ofMonth",
  (extract(epoch FROM changed_at) * 1000)::float8 AS "changedAt"
FROM nestjs_emails.quota_counts
WHERE (account_id = ANY($1) OR changed_at >= to_timestamp($2::float8 / 1000)) AND month = ${MONTH}`;
