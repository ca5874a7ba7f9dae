import { EMAIL_LIMITS } from '../../limits.js';
import { after, claimIn, dueIn } from '../due-work.sql.js';
import { timestamp } from '../read/email.sql.js';

/*
 * Hand-written because the emails of an action are found and stored in one statement, and because its progress is
 * written in the transactions of other changes.
 */

/** Actions are kept for 90 days. An account that starts none deletes none. */
const AGE = "interval '90 days'";
/** Old actions that one new action deletes. */
const OLD = 10;

export const DELETE_OLD = `
DELETE FROM nestjs_emails.email_actions WHERE id IN (
  SELECT id FROM nestjs_emails.email_actions WHERE created_at < now() - ${AGE} AND due_at IS NULL
  ORDER BY created_at LIMIT ${OLD} FOR UPDATE SKIP LOCKED)`;

/**
 * $1: account, $2: endpoint, $3: key, $4: hash of the request, $5: answer, $6: retention in milliseconds. No row when
 * another request has the key.
 */
export const CLAIM_KEY = `
INSERT INTO nestjs_emails.idempotent_answers AS k (account_id, endpoint, key, request_hash, answer, expires_at)
VALUES ($1, $2, $3, $4, $5, ${after('$6')})
ON CONFLICT (account_id, endpoint, key) DO UPDATE
  SET request_hash = excluded.request_hash, answer = excluded.answer, expires_at = excluded.expires_at
  WHERE k.expires_at <= now()
RETURNING key`;

/**
 * $1: account, $3: one more than the limit, $4: id, $5: action, $6 and $7: API key and its domain, or null. Writes the
 * action on the found emails, the oldest first. No row when there are more than the limit.
 *
 * @param emails a query for their `id` and `seq`
 */
export const insertAction = (emails: string) => `
WITH found AS MATERIALIZED (SELECT id, seq FROM (${emails}) AS e)
INSERT INTO nestjs_emails.email_actions (id, account_id, action, api_key_id, domain_id, emails, matched, due_at)
SELECT $4::uuid, $1::text, $5::text, $6::text, $7::text, ids, cardinality(ids), CASE WHEN ids <> '{}' THEN now() END
FROM (SELECT coalesce(array_agg(id ORDER BY seq), '{}') AS ids FROM found) AS emails
WHERE cardinality(ids) < $3::bigint
RETURNING matched AS count, emails[1:${EMAIL_LIMITS.recordedIds.max}] AS ids`;

/** $1: account, $2: number of the first email that came too late, or null, $3 to $7 as above, $8: ids. */
export const INSERT_NAMED = insertAction(`
  SELECT id, place AS seq FROM unnest($8::uuid[]) WITH ORDINALITY AS given(id, place)
  WHERE $2::bigint IS NULL OR NOT EXISTS (
    SELECT FROM nestjs_emails.emails e WHERE e.account_id = $1 AND e.id = given.id AND e.seq >= $2::bigint)`);

/** $1: account, $2: action. */
export const FIND = `
SELECT id, action, due_at IS NULL AS completed, ${timestamp('created_at')} AS "createdAt", matched, done, refused
FROM nestjs_emails.email_actions WHERE account_id = $1 AND id = $2`;

export const DUE = dueIn('email_actions');

/** $1: lease in milliseconds, $2: number of emails to return. */
export const CLAIM = `${claimIn('email_actions')}
SELECT id, account_id AS "accountId", action, api_key_id AS "apiKeyId", domain_id AS "domainId", fence, place, matched,
  to_json(emails[place + 1 : place + $2::integer]) AS emails
FROM claimed`;

/**
 * $1: action, $2: fence, $3: place, $4: what the email adds to `done`, $5: its refusal or null, $6: whether it is
 * postponed, $7: lease in milliseconds. Moves to the next place. No row when the lease or the place has moved. The lease
 * is renewed seldom, because `due_at` is in an index. A postponed email is one bit: a hundred thousand ids would be
 * written again for each.
 */
export const ADVANCE = `
UPDATE nestjs_emails.email_actions SET place = place + 1, done = done + $4::integer,
  refused = CASE WHEN $5::jsonb IS NULL OR jsonb_array_length(refused) >= ${EMAIL_LIMITS.actionRefusals.max} THEN refused
    ELSE refused || $5::jsonb END,
  postponed = CASE WHEN $6::boolean THEN set_bit(coalesce(postponed, decode(repeat('00', matched / 8 + 1), 'hex')), place, 1)
    ELSE postponed END,
  due_at = CASE WHEN due_at < ${after('$7::float8 / 2')} THEN ${after('$7')} ELSE due_at END
WHERE id = $1 AND fence = $2 AND place = $3
RETURNING place`;

const POSTPONED = `ARRAY(
  SELECT given.id FROM unnest(emails) WITH ORDINALITY AS given(id, place)
  WHERE get_bit(postponed, given.place - 1) = 1 ORDER BY given.place)`;

/**
 * $1: action, $2: fence, $3: milliseconds until it is due again. Ends the lease, and an action without further emails.
 * The postponed ones follow when all others are done.
 */
export const RELEASE = `
UPDATE nestjs_emails.email_actions SET
  due_at = CASE WHEN place < cardinality(emails) OR postponed IS NOT NULL THEN ${after('$3')} END,
  emails = CASE WHEN place < cardinality(emails) THEN emails
    WHEN postponed IS NOT NULL THEN emails || ${POSTPONED} ELSE '{}' END,
  postponed = CASE WHEN place < cardinality(emails) THEN postponed END
WHERE id = $1 AND fence = $2`;
