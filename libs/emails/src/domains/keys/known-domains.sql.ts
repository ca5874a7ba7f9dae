/** Limit of the domains that one answer has, for all accounts. */
const FEW = 20;

/**
 * $1: accounts, $2: domains. Returns these, or all of the installation if it has few; one row without a domain if there is
 * none. A key signs once its record was verified, until a newer key takes its place. The records of the
 * return path count while they are verified or miss for a short time.
 */
export const KNOWN_DOMAINS = `
WITH few AS MATERIALIZED (
  SELECT count(*) <= ${FEW} AS are_all FROM (SELECT FROM nestjs_emails.domains LIMIT ${FEW + 1}) AS first
), found AS (
  SELECT * FROM nestjs_emails.domains WHERE (SELECT are_all FROM few)
  UNION ALL
  SELECT * FROM nestjs_emails.domains
  WHERE NOT (SELECT are_all FROM few)
    AND name = ANY ($2::text[])
    AND (account_id, name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
)
SELECT few.are_all AS "areAll", d.id, d.account_id AS "accountId", d.name, d.status, d.sending, d.tls,
  CASE WHEN d.checks->'spf mx'->>'status' IN ('verified', 'temporary_failure')
        AND d.checks->'spf txt'->>'status' IN ('verified', 'temporary_failure')
    THEN d.return_path || '.' || d.name END AS "returnPath",
  coalesce((
    SELECT json_agg(json_build_object('selector', k.selector, 'algorithm', k.algorithm, 'keyId', k.key_id, 'sealed', k.sealed)
      ORDER BY k.algorithm DESC, k.selector)
    FROM nestjs_emails.domain_keys k
    WHERE k.domain_id = d.id AND k.verified_at IS NOT NULL AND k.retired_at IS NULL
  ), '[]') AS keys
FROM few LEFT JOIN found d ON true`;
