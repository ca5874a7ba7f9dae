/*
 * Hand-written because TypeORM has neither an insert of rows that the same statement deletes nor a series of times to
 * join with.
 */

/** Advisory-lock namespace of folding (`fold` in ASCII). */
const FOLDING = 0x666f_6c64;

/**
 * $1: limit of rows. One process folds at a time. Rows are deleted and added to the totals in the same statement, so a
 * killed one changes nothing. Locks totals in the order of their keys.
 */
export const FOLD = `
WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${FOLDING}) AS mine),
batch AS MATERIALIZED (
  SELECT id FROM nestjs_emails.event_counts WHERE (SELECT mine FROM turn) ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
),
taken AS (
  DELETE FROM nestjs_emails.event_counts WHERE id IN (SELECT id FROM batch)
  RETURNING account_id, slot, domain, kind, count
),
folded AS (
  INSERT INTO nestjs_emails.event_totals AS t (account_id, slot, domain, kind, count)
  SELECT account_id, slot, domain, kind, sum(count) FROM taken GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (account_id, slot, domain, kind) DO UPDATE SET count = t.count + excluded.count
)
SELECT count(*)::integer AS count FROM taken`;

/** By the clock that dates events. */
export const NOW = 'SELECT (extract(epoch FROM now()) * 1000)::float8 AS now';

/** Counts of an account, folded or not. $1: account, $2: from when, $3: until when. */
const COUNTED = ['event_totals', 'event_counts']
  .map(
    (table) => `
  SELECT slot AS at, domain, kind, count, NULL::uuid AS email_id FROM nestjs_emails.${table}
  WHERE account_id = $1 AND slot >= $2::timestamptz AND slot < $3::timestamptz`,
  )
  .join(' UNION ALL ');

/** The same for single emails, from their events. $6: emails, or null: all. */
const RECORDED = `
  SELECT v.occurred_at AS at, lower(rtrim(split_part(e.from_mailbox, '@', -1), E'> \\t')) AS domain,
    CASE v.type WHEN 'bounced' THEN 'bounced_' || lower(coalesce(v.bounce->>'type', 'undetermined')) ELSE v.type END AS kind,
    1::bigint AS count, e.id AS email_id
  FROM nestjs_emails.emails e JOIN nestjs_emails.events v ON v.email_id = e.id
  WHERE e.account_id = $1 AND ($6::uuid[] IS NULL OR e.id = ANY($6)) AND v.recipient IS NOT NULL
    AND v.occurred_at >= $2::timestamptz AND v.occurred_at < $3::timestamptz`;

/**
 * The beginning of every period without events. $4: `hour`, `day`, `week` or `month`, $5: time zone. Days follow the
 * calendar, since not all of them have 24 hours; hours follow the clock, since some come twice.
 */
const EMPTY_PERIODS = `
  SELECT at, '', NULL, 0::bigint, NULL::uuid FROM (
    SELECT generate_series(date_trunc('hour', $2::timestamptz, $5), $3::timestamptz, '1 hour') AS at WHERE $4 = 'hour'
    UNION ALL
    SELECT generate_series(date_trunc($4, $2::timestamptz AT TIME ZONE $5), $3::timestamptz AT TIME ZONE $5,
      ('1 ' || $4)::interval) AT TIME ZONE $5 WHERE $4 <> 'hour'
  ) AS periods WHERE at < $3::timestamptz`;

/** The grouping of rows, in addition to the kind of event. */
export interface Breakdown {
  /** Reads the events themselves instead of the counts: only events distinguish emails. */
  ofEmails: boolean;
  period: boolean;
  domain: boolean;
  email: boolean;
}

/**
 * $1: account, $2: from when, $3: until when, $4: unit of periods, $5: time zone, $6: emails or null, $7: limit of
 * rows. `offset`: minutes from UTC at the beginning of the period. Grouped by periods alone, the result contains all
 * periods.
 */
export function counts({ ofEmails, period, domain, email }: Breakdown): string {
  const empty = period && !domain && !email ? ` UNION ALL ${EMPTY_PERIODS}` : '';
  const offset = "extract(epoch FROM (at AT TIME ZONE $5) - (at AT TIME ZONE 'UTC'))::float8 / 60";
  return `
-- Gives types to what is not used below.
WITH asked AS (SELECT $4::text, $5::text, $6::uuid[]),
events (at, domain, kind, count, email_id) AS (${ofEmails ? RECORDED : COUNTED}${empty}),
placed AS (
  SELECT ${period ? 'date_trunc($4, at, $5)' : 'NULL::timestamptz'} AS at, ${domain ? 'domain' : 'NULL'} AS domain,
    ${email ? 'email_id' : 'NULL'} AS email_id, kind, count
  FROM events
),
summed AS (SELECT at, domain, email_id, kind, sum(count)::float8 AS count FROM placed GROUP BY 1, 2, 3, 4)
SELECT extract(epoch FROM at)::float8 * 1000 AS period, ${offset} AS "offset", domain, email_id AS "emailId",
  coalesce(json_object_agg(kind, count) FILTER (WHERE kind IS NOT NULL), '{}') AS counts
FROM summed GROUP BY at, domain, email_id ORDER BY at, domain, email_id LIMIT $7`;
}
