import { SCHEMA } from '../../shared/rows/schema.js';

/** True if an email was delivered to a candidate after its refusal. */
const isDelivered = (candidate: string) =>
  `coalesce(${SCHEMA}.last_delivered(${candidate}.account_id, ${candidate}.email_key) > ${candidate}.created_at, false)`;

/**
 * $1: account, $2: entries. In the order of their keys, as `PUT` of suppressions. One that was delivered to since its refusal
 * begins again.
 */
export const PUT = `
  INSERT INTO ${SCHEMA}.suppression_candidates AS known (id, account_id, email_key, email, reason, source_id, operator)
  SELECT i.id, $1, i."emailKey", i.email, i.reason, i."sourceId", i.operator
  FROM json_to_recordset($2::json) AS i(id uuid, "emailKey" text, email text, reason text, "sourceId" uuid, operator text)
  ORDER BY i."emailKey"
  ON CONFLICT (account_id, email_key) DO UPDATE SET email = excluded.email, reason = excluded.reason,
    source_id = excluded.source_id, operator = excluded.operator, counted = false, created_at = excluded.created_at
  WHERE ${isDelivered('known')}`;

/** Adds a number of bounces by account to the reputations. */
const counting = (rows: string, bounces: string) => `
    INSERT INTO ${SCHEMA}.reputations AS known (account_id, new_bounces, is_due)
    SELECT account_id, ${bounces}, true FROM ${rows} GROUP BY account_id ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET new_bounces = known.new_bounces + excluded.new_bounces, is_due = true`;

/**
 * $1: operator, $2: from when, $3: limit. Entries that its bounces added become candidates, and count against no account
 * any more; a trigger records their removal. Locked ones are left for the next time. None is taken after the end of the
 * bad hour, which waits for this statement. Returns the number.
 */
export const TAKE_OFF = `
  WITH taken AS (
    DELETE FROM ${SCHEMA}.suppressions WHERE id IN (
      SELECT id FROM ${SCHEMA}.suppressions
      WHERE operator = $1 AND created_at >= $2 AND origin = 'bounce' AND expires_at IS NULL
        AND EXISTS (SELECT FROM ${SCHEMA}.operator_holds WHERE operator = $1 AND ended_at IS NULL FOR SHARE)
      ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
    RETURNING id, account_id, email_key, email, reason, source_id, operator, created_at
  ), kept AS (
    INSERT INTO ${SCHEMA}.suppression_candidates
      (id, account_id, email_key, email, reason, source_id, operator, created_at)
    SELECT id, account_id, email_key, email, reason, source_id, operator, created_at FROM taken
    ON CONFLICT DO NOTHING
  ), counted AS (${counting('taken', '-count(*)')})
  SELECT count(*)::integer AS count FROM taken`;

/**
 * $1: operator, $2: age in milliseconds, $3: limit. Candidates of that age count against their accounts from now on.
 * Returns the number.
 */
export const COUNT = `
  WITH late AS (
    UPDATE ${SCHEMA}.suppression_candidates SET counted = true WHERE id IN (
      SELECT id FROM ${SCHEMA}.suppression_candidates
      WHERE operator = $1 AND NOT counted AND created_at <= now() - $2 * interval '1 millisecond'
      LIMIT $3 FOR UPDATE SKIP LOCKED)
    RETURNING account_id
  ), counted AS (${counting('late', 'count(*)')})
  SELECT count(*)::integer AS count FROM late`;

/** $1: operator, $2: limit. Tells of each whether it is to become an entry: nothing was delivered to it since. */
export const TAKE = `
  WITH taken AS (
    DELETE FROM ${SCHEMA}.suppression_candidates WHERE id IN (
      SELECT id FROM ${SCHEMA}.suppression_candidates WHERE operator = $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id, account_id AS "accountId", email_key AS "emailKey", email, reason, source_id AS "sourceId", operator,
      to_json(created_at) AS "createdAt", counted, ${isDelivered('suppression_candidates')} AS "isDelivered"
  )
  SELECT * FROM taken ORDER BY "accountId", "emailKey"`;

/** $1: operator. */
export const HAS = `SELECT EXISTS (SELECT FROM ${SCHEMA}.suppression_candidates WHERE operator = $1) AS has`;

/** $1: account, $2: operator, $3 and $4: times. */
const OF_OPERATOR = 'account_id = $1 AND operator = $2 AND created_at >= $3 AND created_at < $4';

export const COUNT_OF_OPERATOR = `
  SELECT count(*)::integer AS count FROM ${SCHEMA}.suppression_candidates WHERE ${OF_OPERATOR}`;

/** The same, and $5: limit. Shows nobody who is erased. */
export const FIND_OF_OPERATOR = `
  SELECT id, email, reason, source_id AS "sourceId",
    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"+00"') AS "createdText"
  FROM ${SCHEMA}.suppression_candidates WHERE ${OF_OPERATOR} AND email IS NOT NULL
  ORDER BY created_at, id LIMIT $5`;

export const REMOVE_OF_OPERATOR = `
  WITH removed AS (
    DELETE FROM ${SCHEMA}.suppression_candidates WHERE id IN (
      SELECT id FROM ${SCHEMA}.suppression_candidates WHERE ${OF_OPERATOR} ORDER BY created_at, id LIMIT $5
      FOR UPDATE)
    RETURNING id
  )
  SELECT id FROM removed`;
