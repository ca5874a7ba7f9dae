import { SCHEMA } from '../../../shared/rows/schema.js';
import { AUDIENCE_LIMITS } from '../../limits.js';

/*
 * Hand-written because all topics of an account are chosen in one statement, and a page needs a few of many.
 */

/** $1: account, $2: topic, $3: topic of the link. `isOpen`: a reader may opt in to it. It stays until the transaction ends. */
export const TOPIC = `
SELECT name, visibility = 'public' OR id = $3 AS "isOpen" FROM ${SCHEMA}.topics
WHERE id = $2 AND account_id = $1 FOR KEY SHARE`;

/** $1: account, $2: key of the address. */
export const CONTACT = `SELECT id FROM ${SCHEMA}.contacts WHERE account_id = $1 AND email_key = $2 FOR KEY SHARE`;

/** $1: id, $2: account, $3: address, $4: its key. */
export const NEW_CONTACT = `
INSERT INTO ${SCHEMA}.contacts (id, account_id, email, email_key) VALUES ($1, $2, $3, $4)
ON CONFLICT (account_id, email_key) DO NOTHING`;

/** $1: contact, $2: topic, $3: choice. */
export const CHOOSE = `
INSERT INTO ${SCHEMA}.topic_choices AS c (contact_id, topic_id, subscription) VALUES ($1, $2, $3)
ON CONFLICT (contact_id, topic_id) DO UPDATE SET subscription = excluded.subscription
WHERE c.subscription <> excluded.subscription`;

/** $1: account, $2: key of an address. Returns a row if it is a contact, or the account has a topic. */
export const HAS_CHOICES = `
SELECT FROM ${SCHEMA}.contacts WHERE account_id = $1 AND email_key = $2
UNION ALL (SELECT FROM ${SCHEMA}.topics WHERE account_id = $1 LIMIT 1)`;

/** $1: contact. */
export const LEAVE = `UPDATE ${SCHEMA}.contacts SET unsubscribed = true WHERE id = $1 AND NOT unsubscribed`;

/** $1: contact. Returns a row if the contact got nothing before. */
export const COME_BACK = `UPDATE ${SCHEMA}.contacts SET unsubscribed = false WHERE id = $1 AND unsubscribed RETURNING id`;

/** $1: contact, $2: account, $3: topic that stays as it is, or null. */
export const OPT_OUT_OF_OTHERS = `
WITH others AS MATERIALIZED (
  SELECT id FROM ${SCHEMA}.topics WHERE account_id = $2 AND id IS DISTINCT FROM $3::uuid ORDER BY id FOR KEY SHARE
)
INSERT INTO ${SCHEMA}.topic_choices AS c (contact_id, topic_id, subscription) SELECT $1::uuid, id, 'opt_out' FROM others
ON CONFLICT (contact_id, topic_id) DO UPDATE SET subscription = 'opt_out' WHERE c.subscription <> 'opt_out'`;

/**
 * $1: account, $2: key of the address, $3: topic of the link. A row for each topic that the reader sees, or one without a
 * topic. A private topic is seen by those who get it, and by its own link.
 */
export const STATE = `
SELECT reader.unsubscribed, seen.* FROM (
  SELECT coalesce(bool_or(unsubscribed), false) AS unsubscribed FROM ${SCHEMA}.contacts
  WHERE account_id = $1 AND email_key = $2
) AS reader LEFT JOIN LATERAL (
  SELECT t.id, t.name, t.description, coalesce(c.subscription, t.default_subscription) AS subscription,
    t.id = $3 AS "isOfEmail"
  FROM ${SCHEMA}.topics t
  LEFT JOIN ${SCHEMA}.contacts p ON p.account_id = $1 AND p.email_key = $2
  LEFT JOIN ${SCHEMA}.topic_choices c ON c.contact_id = p.id AND c.topic_id = t.id
  WHERE t.account_id = $1 AND (t.visibility = 'public' OR t.id = $3
    OR (coalesce(c.subscription, t.default_subscription) = 'opt_in' AND NOT reader.unsubscribed))
  ORDER BY t.id = $3 DESC, lower(t.name), t.id LIMIT ${AUDIENCE_LIMITS.pageTopics.max}
) AS seen ON true`;
