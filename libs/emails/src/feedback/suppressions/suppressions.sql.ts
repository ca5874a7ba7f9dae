import { SCHEMA } from '../../shared/rows/schema.js';

/** True if an entry has not expired. */
export const IN_FORCE = '(expires_at IS NULL OR expires_at > now())';

/** True if a list shows an entry: it has not expired, and its person is not erased. */
export const LISTED = `email IS NOT NULL AND ${IN_FORCE}`;

/**
 * $1: account, $2: keys. Removes expired entries, so that the address is added as a new one, and returns the keys of the
 * others.
 */
export const LOCK_OR_EXPIRE = `
  WITH expired AS (
    DELETE FROM ${SCHEMA}.suppressions WHERE account_id = $1 AND email_key = ANY($2) AND NOT ${IN_FORCE}
  )
  SELECT email_key AS "emailKey" FROM ${SCHEMA}.suppressions
  WHERE account_id = $1 AND email_key = ANY($2) AND ${IN_FORCE}`;

/** The reason of a new entry takes the place of the old one: it is a complaint, or the old one would have expired. */
const REPLACED = `(EXCLUDED.origin = 'complaint' AND known.origin <> 'complaint'
  OR EXCLUDED.origin = 'bounce' AND known.expires_at IS NOT NULL)`;
const replaced = (column: string) =>
  `${column} = CASE WHEN ${REPLACED} THEN EXCLUDED.${column} ELSE known.${column} END`;

/** A person adds it: entries that events add have an email. That decision outlives a bounce, which may be taken back. */
const BY_HAND = 'EXCLUDED.source_id IS NULL';

/**
 * $1: account, $2: entries. In the order of their keys, so that two transactions with the same addresses wait for each
 * other instead of deadlocking.
 */
export const PUT = `
  INSERT INTO ${SCHEMA}.suppressions AS known
    (id, account_id, email_key, email, origin, reason, source_id, operator, expires_at, created_at)
  SELECT i.id, $1, i."emailKey", i.email, i.origin, i.reason, i."sourceId", i.operator,
    now() + i.lifetime * interval '1 millisecond', coalesce(i."createdAt", now())
  FROM json_to_recordset($2::json) AS i(id uuid, "emailKey" text, email text, origin text, reason text, "sourceId" uuid,
    operator text, lifetime double precision, "createdAt" timestamptz)
  ORDER BY i."emailKey"
  ON CONFLICT (account_id, email_key) DO UPDATE SET
    ${['origin', 'reason', 'source_id'].map(replaced).join(', ')},
    operator = CASE WHEN ${BY_HAND} THEN NULL WHEN ${REPLACED} THEN EXCLUDED.operator ELSE known.operator END,
    expires_at = CASE WHEN known.expires_at IS NULL OR EXCLUDED.expires_at IS NULL THEN NULL
      ELSE greatest(known.expires_at, EXCLUDED.expires_at) END
  RETURNING id, email_key AS "emailKey", xmax = 0 AS added`;

/** $1: account, $2: ids, $3: keys. In the order of the keys, as `PUT`. */
export const REMOVE = `
  WITH found AS MATERIALIZED (
    SELECT id FROM ${SCHEMA}.suppressions
    WHERE account_id = $1 AND (id = ANY($2::uuid[]) OR email_key = ANY($3::text[])) AND ${IN_FORCE}
    ORDER BY email_key FOR UPDATE
  ), removed AS (
    DELETE FROM ${SCHEMA}.suppressions WHERE id IN (SELECT id FROM found) RETURNING id
  )
  SELECT id FROM removed`;

/** Entries that bounces at an operator added. $1: account, $2: operator, $3 and $4: times. */
const OF_OPERATOR = `account_id = $1 AND operator = $2 AND created_at >= $3 AND created_at < $4 AND origin = 'bounce'
  AND ${IN_FORCE}`;

/** The same. Returns how many there are. */
export const COUNT_OF_OPERATOR = `
  SELECT count(*)::integer AS count FROM ${SCHEMA}.suppressions WHERE ${OF_OPERATOR}`;

/** The same, and $5: limit. The ids of the first ones that may be shown. */
export const FIND_OF_OPERATOR = `
  SELECT id FROM ${SCHEMA}.suppressions WHERE ${OF_OPERATOR} AND ${LISTED} ORDER BY created_at, id LIMIT $5`;

/** The same with those of erased persons, locked in the order of their keys: none of them vanishes before it is removed. */
export const LOCK_OF_OPERATOR = `
  SELECT id FROM ${SCHEMA}.suppressions WHERE ${OF_OPERATOR} AND id IN (
    SELECT id FROM ${SCHEMA}.suppressions WHERE ${OF_OPERATOR} ORDER BY created_at, id LIMIT $5)
  ORDER BY email_key FOR UPDATE`;

/**
 * $1: accounts, $2: keys, $3: their erased forms, or none; the same place in each is one recipient. Returns those that are
 * on the list.
 */
export const FIND_REFUSED = `
  SELECT asked.place, s.origin, s.reason
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (account_id, email_key, form, place)
  CROSS JOIN LATERAL (
    SELECT origin, reason FROM ${SCHEMA}.suppressions
    WHERE account_id = asked.account_id AND email_key = ANY(ARRAY[asked.email_key, asked.form]) AND ${IN_FORCE} LIMIT 1
  ) AS s`;
