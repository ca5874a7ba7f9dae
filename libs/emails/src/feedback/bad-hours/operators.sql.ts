import { SCHEMA } from '../../shared/rows/schema.js';

const SLOT = "interval '2 minutes'";
const slotOf = (time: string, slot = SLOT) => `date_bin(${slot}, ${time}, '2000-01-01 00:00:00+00')`;
/** Begin of the five slots that are judged: the last 8 to 10 minutes. */
const RECENT = `(${slotOf('now()')} - interval '8 minutes')`;

const ADDED = `recipients = known.recipients + excluded.recipients, refusals = known.refusals + excluded.refusals,
    own_refusals = known.own_refusals + excluded.own_refusals`;

/** Time in which a mailbox counts once. */
const MAILBOX_SLOT = "interval '10 minutes'";

/**
 * $1: counts with their times, each of an operator and an account, and of a mailbox or none. In their order, so that two
 * processes do not deadlock.
 */
export const COUNT = `
  WITH rows AS (
    SELECT operator, ${slotOf('coalesce(at, now())')} AS slot, ${slotOf('coalesce(at, now())', MAILBOX_SLOT)} AS mailbox_slot,
      "accountId" AS account_id, decode(mailbox, 'hex') AS mailbox, recipients, refusals, "ownRefusals" AS own_refusals
    FROM json_to_recordset($1::json) AS i(operator text, "accountId" text, at timestamptz, mailbox text, recipients integer,
      refusals integer, "ownRefusals" integer)
  ), new_mailboxes AS (
    INSERT INTO ${SCHEMA}.operator_mailboxes (operator, slot, mailbox)
    SELECT DISTINCT operator, mailbox_slot, mailbox FROM rows WHERE mailbox IS NOT NULL ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING
    RETURNING operator, slot AS mailbox_slot, mailbox
  ), counting AS (
    SELECT operator, slot, account_id, recipients, refusals, own_refusals FROM rows WHERE mailbox IS NULL
    UNION ALL (
      SELECT DISTINCT ON (operator, mailbox_slot, mailbox) operator, slot, account_id, recipients, refusals, own_refusals
      FROM rows JOIN new_mailboxes USING (operator, mailbox_slot, mailbox)
      ORDER BY operator, mailbox_slot, mailbox, slot, account_id)
  ), given AS (
    SELECT operator, slot, account_id, sum(recipients) AS recipients, sum(refusals) AS refusals,
      sum(own_refusals) AS own_refusals
    FROM counting GROUP BY 1, 2, 3
  ), of_accounts AS (
    INSERT INTO ${SCHEMA}.operator_account_counts AS known (operator, slot, account_id, recipients, refusals, own_refusals)
    SELECT * FROM given ORDER BY operator, slot, account_id
    ON CONFLICT (operator, slot, account_id) DO UPDATE SET ${ADDED}
  )
  INSERT INTO ${SCHEMA}.operator_counts AS known (operator, slot, recipients, refusals, own_refusals)
  SELECT operator, slot, sum(recipients), sum(refusals), sum(own_refusals) FROM given GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (operator, slot) DO UPDATE SET ${ADDED}`;

const sums = (operator: string, when: string) => `
  SELECT coalesce(sum(recipients), 0)::integer AS recipients, coalesce(sum(refusals), 0)::integer AS refusals,
    coalesce(sum(own_refusals), 0)::integer AS own_refusals
  FROM ${SCHEMA}.operator_counts WHERE operator = ${operator} AND ${when}`;
const counts = (when: string) => `
  SELECT asked.operator, own.recipients AS own, own.refusals, own.own_refusals AS "ownRefusals", others.recipients AS others
  FROM unnest($1::text[]) AS asked (operator)
  CROSS JOIN LATERAL (${sums('asked.operator', when)}) AS own
  CROSS JOIN (${sums("''", when)}) AS others`;

/** $1: operators. Their counts of the last ten minutes. */
export const COUNTS_RECENT = counts(`slot >= ${RECENT}`);

/**
 * $1: operator. The parts in these counts of the one, two and three accounts with most refusals, each added up. More accounts
 * than that are not the fault of somebody with several.
 */
export const COUNTS_OF_WORST = `
  SELECT (sum(recipients) OVER worst)::integer AS own, (sum(refusals) OVER worst)::integer AS refusals,
    (sum(own_refusals) OVER worst)::integer AS "ownRefusals", (sum(others) OVER worst)::integer AS others
  FROM (
    SELECT account_id, sum(recipients)::integer AS recipients, sum(refusals)::integer AS refusals,
      sum(own_refusals)::integer AS own_refusals, coalesce((
        SELECT sum(o.recipients) FROM ${SCHEMA}.operator_account_counts o
        WHERE o.operator = '' AND o.slot >= ${RECENT} AND o.account_id = c.account_id), 0)::integer AS others
    FROM ${SCHEMA}.operator_account_counts c WHERE operator = $1 AND slot >= ${RECENT}
    GROUP BY account_id ORDER BY sum(refusals) DESC, account_id LIMIT 3
  ) AS accounts
  WINDOW worst AS (ORDER BY refusals DESC, account_id)`;

/** $1: operators. Their counts of the week before that. */
export const COUNTS_USUAL = `
  SELECT c.* FROM (${counts(`slot >= now() - interval '7 days' AND slot < ${RECENT}`)}) AS c
  WHERE (SELECT min(slot) FROM ${SCHEMA}.operator_counts WHERE operator = c.operator) <= now() - interval '7 days'`;

const forget = (table: string, age: string) => `
  DELETE FROM ${SCHEMA}.${table} WHERE operator = ANY($1) AND slot < now() - interval '${age}'`;

/** $1: operators. */
export const FORGET = [
  forget('operator_counts', '8 days'),
  forget('operator_account_counts', '20 minutes'),
  forget('operator_mailboxes', '20 minutes'),
];

/** $1: operators. Returns those whose refusals are candidates; their holds do not end before this transaction. */
export const FIND_HELD = `
  SELECT operator FROM ${SCHEMA}.operator_holds WHERE operator = ANY($1) AND ended_at IS NULL ORDER BY operator FOR SHARE`;

/** $1: operator, $2: limit. */
export const BEGIN = `
  INSERT INTO ${SCHEMA}.operator_holds (operator, limit_rate) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

/** $1: milliseconds of a claim. */
export const CLAIM = `
  WITH claimed AS (
    UPDATE ${SCHEMA}.operator_holds SET claimed_until = now() + $1 * interval '1 millisecond'
    WHERE operator IN (
      SELECT operator FROM ${SCHEMA}.operator_holds WHERE claimed_until <= now() FOR UPDATE SKIP LOCKED)
    RETURNING operator, since, bad_at, limit_rate, said, ended_at
  )
  SELECT operator, since, limit_rate AS "limitRate", said, ended_at IS NOT NULL AS "isEnding",
    (extract(epoch FROM now() - bad_at) * 1000)::float8 AS quiet FROM claimed`;

/** $1: operator. */
export const RELEASE = `UPDATE ${SCHEMA}.operator_holds SET claimed_until = now() WHERE operator = $1`;
export const SAID = `UPDATE ${SCHEMA}.operator_holds SET said = true WHERE operator = $1`;
export const STILL_BAD = `UPDATE ${SCHEMA}.operator_holds SET bad_at = now() WHERE operator = $1`;
export const END = `UPDATE ${SCHEMA}.operator_holds SET ended_at = now() WHERE operator = $1 AND ended_at IS NULL`;
export const DELETE = `DELETE FROM ${SCHEMA}.operator_holds WHERE operator = $1`;
