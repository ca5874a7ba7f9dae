import { SCHEMA } from '../../shared/rows/schema.js';

/** $1: `ReputationCounts` by account. */
export const RECORD = `
  INSERT INTO ${SCHEMA}.reputations AS known (account_id, new_bounces, new_complaints, new_refused, is_due)
  SELECT "accountId", bounces, complaints, refused, bounces + complaints > 0
  FROM json_to_recordset($1::json) AS i("accountId" text, bounces integer, complaints integer, refused integer)
  WHERE bounces + complaints > 0 OR EXISTS (SELECT FROM ${SCHEMA}.reputations WHERE account_id = "accountId")
  ORDER BY "accountId"
  ON CONFLICT (account_id) DO UPDATE SET new_bounces = known.new_bounces + excluded.new_bounces,
    new_complaints = known.new_complaints + excluded.new_complaints,
    new_refused = known.new_refused + excluded.new_refused, is_due = known.is_due OR excluded.is_due`;

/** Time in which a bad hour that begins has taken its refusals off the counts, also if a process dies. */
const BEGINNING = "interval '3 minutes'";

/** $1: limit, $2: milliseconds after which accounts with a level are looked at again. None while a bad hour begins. */
export const FIND_DUE = `
  SELECT account_id AS "accountId", level = 'hold' AND said = 'hold' AS "wasHeld" FROM ${SCHEMA}.reputations
  WHERE (is_due OR level IS NOT NULL OR said IS NOT NULL)
    AND (is_due OR checked_at <= now() - $2 * interval '1 millisecond')
    AND NOT EXISTS (SELECT FROM ${SCHEMA}.operator_holds WHERE NOT said AND since > now() - ${BEGINNING})
  ORDER BY checked_at LIMIT $1`;

/** $1: account. `now` is the clock that dates events. */
export const LOCK = `
  SELECT new_bounces AS "newBounces", new_complaints AS "newComplaints", new_refused AS "newRefused",
    recipients::float8 AS recipients, counted_until AS "countedUntil", buckets, level, said, since, bad_at AS "badAt",
    saying_until AS "sayingUntil", now() AS now
  FROM ${SCHEMA}.reputations WHERE account_id = $1 FOR UPDATE`;

/** $1: account, $2: from when. */
export const COUNT_SENT = `SELECT slot, recipients::float8 AS recipients FROM ${SCHEMA}.sent_since($1, $2)`;

/** $1: account, then the columns in their order. */
export const WRITE = `
  UPDATE ${SCHEMA}.reputations SET new_bounces = 0, new_complaints = 0, new_refused = 0, is_due = false,
    recipients = $2, counted_until = $3, buckets = $4, level = $5, since = $6, bad_at = $7, saying_until = $8,
    checked_at = now()
  WHERE account_id = $1`;

/** $1: account, $2: level. */
export const SAID = `UPDATE ${SCHEMA}.reputations SET said = $2, saying_until = NULL WHERE account_id = $1`;
