const IS_DUE = 'next_check_at <= now() AND (leased_until IS NULL OR leased_until < now())';

const LEASED = `UPDATE nestjs_emails.domains AS d
SET leased_until = now() + $1 * interval '1 millisecond', fence = fence + 1`;
const RETURNING = 'RETURNING d.id, d.account_id AS "accountId", d.fence';

/** $1: milliseconds, $2: id. */
export const LEASE = `${LEASED} WHERE id = $2 AND ${IS_DUE} ${RETURNING}`;

/** $1: milliseconds, $2: limit, $3: due domains among which accounts take turns. */
export const LEASE_DUE = `
WITH due AS (
  SELECT id, account_id, next_check_at FROM nestjs_emails.domains WHERE ${IS_DUE} ORDER BY next_check_at LIMIT $3
), turns AS (
  SELECT id, next_check_at, row_number() OVER (PARTITION BY account_id ORDER BY next_check_at) AS turn FROM due
), next AS (
  SELECT id FROM nestjs_emails.domains
  WHERE id IN (SELECT id FROM turns ORDER BY turn, next_check_at LIMIT $2) AND ${IS_DUE}
  FOR NO KEY UPDATE SKIP LOCKED
)
${LEASED} WHERE id IN (SELECT id FROM next) ${RETURNING}`;

/** $1: milliseconds. */
export const DUE_IN = `
SELECT ceil(1000 * extract(epoch FROM min(next_check_at) - now())) AS wait FROM nestjs_emails.domains
WHERE next_check_at < now() + $1 * interval '1 millisecond' AND (leased_until IS NULL OR leased_until < now())`;

/** $1: id, $2: fence. */
export const RELEASE = `UPDATE nestjs_emails.domains SET leased_until = NULL WHERE id = $1 AND fence = $2`;

/** $1: milliseconds. */
export const DELETE_OLD_KEYS = `
DELETE FROM nestjs_emails.domain_keys WHERE retired_at < now() - $1 * interval '1 millisecond'`;
