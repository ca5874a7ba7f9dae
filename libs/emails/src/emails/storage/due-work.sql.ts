/** @param milliseconds from now */
export const after = (milliseconds: string) => `now() + ${milliseconds}::float8 * interval '1 millisecond'`;

/** A query for the id of a due row of a table; no row: none is due. */
export const dueIn = (table: string) =>
  `SELECT id FROM nestjs_emails.${table} WHERE due_at <= now() ORDER BY due_at LIMIT 1`;

/**
 * `WITH` for a statement that reads `claimed`: a due row of a table under a lease. $1: lease in milliseconds. Picks any
 * account with due rows, so that one account's long work does not delay the others; within the account, the longest
 * overdue.
 */
export const claimIn = (table: string) => `
WITH turn AS MATERIALIZED (
  SELECT account_id FROM (SELECT DISTINCT account_id FROM nestjs_emails.${table} WHERE due_at <= now()) AS accounts
  ORDER BY random() LIMIT 1
),
next AS (
  SELECT id FROM nestjs_emails.${table} WHERE due_at <= now() AND account_id = (SELECT account_id FROM turn)
  ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
),
claimed AS (
  UPDATE nestjs_emails.${table} d SET fence = fence + 1, due_at = ${after('$1')} FROM next WHERE d.id = next.id
  RETURNING d.*
)`;
