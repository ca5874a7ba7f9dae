/* Emails of held accounts: `LEASE` makes each due at infinity when it falls due. */

/** $1: account, $2: reason. An existing hold keeps its time. */
export const HOLD = `
INSERT INTO nestjs_emails.account_holds (account_id, reason) VALUES ($1, $2)
ON CONFLICT (account_id) DO UPDATE SET reason = excluded.reason`;

/** $1: account. Waits for leases that have read the hold, so that the next statement sees the emails they kept. */
export const END_HOLD = 'DELETE FROM nestjs_emails.account_holds WHERE account_id = $1';

/**
 * $1: account, $2: limit of the answer. Makes its kept emails due now, and returns the oldest. The kept emails of all
 * accounts are read, in the order of the index of due emails.
 */
export const RELEASE_HELD = `
WITH released AS (
  UPDATE nestjs_emails.deliveries d SET due_at = now()
  FROM nestjs_emails.emails e WHERE d.due_at = 'infinity' AND e.id = d.email_id AND e.account_id = $1
  RETURNING d.email_id, d.fence, e.seq
)
SELECT email_id AS "emailId", fence FROM released ORDER BY seq LIMIT $2`;
