/**
 * $1: accounts, $2: domains. A key signs once its record was verified, until a newer key takes its place. The records of the
 * return path count while they are verified or miss for a short time.
 */
export const KNOWN_DOMAINS = `
SELECT d.id, d.account_id AS "accountId", d.name, d.status, d.sending, d.tls,
  CASE WHEN d.checks->'spf mx'->>'status' IN ('verified', 'temporary_failure')
        AND d.checks->'spf txt'->>'status' IN ('verified', 'temporary_failure')
    THEN d.return_path || '.' || d.name END AS "returnPath",
  coalesce((
    SELECT json_agg(json_build_object('selector', k.selector, 'algorithm', k.algorithm, 'keyId', k.key_id, 'sealed', k.sealed)
      ORDER BY k.algorithm DESC, k.selector)
    FROM nestjs_emails.domain_keys k
    WHERE k.domain_id = d.id AND k.verified_at IS NOT NULL AND k.retired_at IS NULL
  ), '[]') AS keys
FROM nestjs_emails.domains d
WHERE d.name = ANY ($2::text[])
  AND (d.account_id, d.name) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;
