import { isShown } from '../read/email.sql.js';
import { FIRST_DUE, IS_DUE, IS_PUT_OFF, IS_READY, PLACES } from './outbox.sql.js';

/** Limit of bytes read at once from the outbox and its emails, unless the first event is larger. */
const READ_BYTES = 1_000_000;
/** Bytes of the data of an email `e` that an event carries. */
const EMAIL_BYTES = [
  ...['to_mailboxes', 'cc_mailboxes', 'bcc_mailboxes', 'reply_to_mailboxes', 'headers', 'tags'].map(
    (of) => `e.${of}::text`,
  ),
  ...['e.from_mailbox', 'e.subject', 'e.message_id'],
]
  .map((text) => `octet_length(${text})`)
  .join(' + ');

/**
 * The first rows of the outbox by `turn`, within the byte limit; `found` is the number of all rows. An email is
 * counted, and read, with the first of its rows (`of_email`): for a hundred recipients and ten subscriptions its
 * headers are read once and not a thousand times.
 */
const bounded = (rows: string) => `
  SELECT * FROM (
    SELECT o.*, count(*) OVER ()::integer AS found, row_number() OVER in_order AS place,
      sum(coalesce(octet_length(o.data::text), 0) + coalesce(e.bytes, 0)) OVER in_order AS bytes
    FROM (SELECT o.*, row_number() OVER (PARTITION BY o.email_id ORDER BY o.event_id, o.id) AS of_email FROM (${rows}) AS o) AS o
    LEFT JOIN LATERAL (SELECT ${EMAIL_BYTES} AS bytes FROM nestjs_emails.emails e WHERE e.id = o.email_id LIMIT 1) AS e
      ON o.of_email = 1
    WINDOW in_order AS (ORDER BY o.turn, o.event_id, o.id)
  ) AS o
  WHERE place = 1 OR bytes <= ${READ_BYTES}`;

/**
 * Reads the events of outbox rows. `subscribed` or `recorded` is false when the subscription, or the event or its
 * email, no longer exists. `behind`: an event of the email is put off. The email's data is in the first of its rows.
 */
const eventsOf = (rows: string) => `
SELECT o.id::text AS id, o.event_id::text AS "eventId", o.email_id AS "emailId", o.account_id AS "accountId", o.type, o.data,
  o.occurred_at AS "occurredAt", s.key, s.id IS NOT NULL AS subscribed, v.id IS NOT NULL AS recorded,
  v.recipient, v.reason, v.reason_code AS "reasonCode", v.source, v.attempt, v.bounce, e.message_id AS "messageId",
  e.from_mailbox AS "from",
  to_json(e.to_mailboxes) AS "to", to_json(e.cc_mailboxes) AS cc, to_json(e.bcc_mailboxes) AS bcc,
  to_json(e.reply_to_mailboxes) AS "replyTo", e.subject, e.created_at AS "createdAt", e.scheduled_at AS "scheduledAt",
  e.tags, CASE WHEN ${isShown('e')} THEN e.headers ELSE '[]' END AS headers, e.topic_id AS "topicId", pg_current_xact_id()::text AS xid,
  o.put_off_until IS NULL AND EXISTS (
    SELECT FROM nestjs_emails.event_outbox p
    WHERE p.email_id = o.email_id AND p.subscriber = $1 AND p.put_off_until IS NOT NULL) AS behind, o.found
FROM (${bounded(rows)}) AS o
LEFT JOIN nestjs_emails.event_subscriptions s ON s.id = o.subscription_id
LEFT JOIN LATERAL (SELECT * FROM nestjs_emails.events v WHERE v.id = o.event_id LIMIT 1) AS v ON o.email_id IS NOT NULL
LEFT JOIN LATERAL (SELECT * FROM nestjs_emails.emails e WHERE e.id = o.email_id LIMIT 1) AS e ON o.of_email = 1
ORDER BY o.turn, o.event_id, o.id`;

/** Size of a group before locked events and those beyond the limits are removed. */
const CANDIDATES = 500;

/** True if no event of the account before it is undecided. */
const IS_NEXT = `${IS_READY} AND event_id >= places.ready AND (places.undecided IS NULL OR event_id < places.undecided
  OR NOT EXISTS (SELECT FROM nestjs_emails.event_outbox u WHERE u.subscriber IS NULL AND u.put_off_until IS NULL
    AND u.account_id = o.account_id AND u.event_id >= places.undecided AND u.event_id < o.event_id))`;

/**
 * Accounts with events, starting after $6 and wrapping around. Each is found by a probe of the index
 * `event_outbox_turns`. Without a backlog there are none: all events are among the oldest.
 */
const ACCOUNTS = `
accounts(id, around) AS (
  SELECT $6::text, false WHERE (SELECT count(*) FROM oldest) = ${CANDIDATES}
  UNION ALL
  SELECT next.* FROM accounts a CROSS JOIN LATERAL (
    (SELECT account_id, a.around FROM nestjs_emails.event_outbox o
     WHERE ${IS_READY} AND event_id >= (SELECT ready FROM places) AND account_id > a.id
     ORDER BY account_id, event_id LIMIT 1)
    UNION ALL
    SELECT '', true WHERE NOT a.around
    LIMIT 1) AS next(id, around)
  WHERE NOT next.around OR next.id <= $6
),
turns AS MATERIALIZED (
  SELECT id FROM accounts WHERE id <> '' AND (around OR id <> $6) LIMIT ${CANDIDATES}
)`;

/**
 * $1 to $4: as for `PLACES`, $5: limit, $6: the account after which turns begin. The accounts take turns, one event
 * each, so that no account waits for the backlog of another. Free capacity goes to the oldest events. Events of an
 * account come in their order, and none after an undecided one. The search for new rows is repeated: an email may have
 * got a smaller number since the last look. Locked events are skipped, together with later ones of the same email.
 */
export const READY = eventsOf(`
  WITH RECURSIVE ${PLACES},
  oldest AS MATERIALIZED (
    SELECT o.* FROM places CROSS JOIN LATERAL (
      SELECT id, account_id, email_id, event_id FROM nestjs_emails.event_outbox o
      WHERE ${IS_NEXT} ORDER BY event_id, id LIMIT ${CANDIDATES}) AS o
  ),
  ${ACCOUNTS},
  shares AS (
    SELECT o.* FROM places CROSS JOIN turns CROSS JOIN LATERAL (
      SELECT id, account_id, email_id, event_id FROM nestjs_emails.event_outbox o
      WHERE account_id = turns.id AND ${IS_NEXT}
      ORDER BY event_id, id LIMIT ${CANDIDATES} / (SELECT count(*) FROM turns)) AS o
  ),
  candidates AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY round, account_id <= $6, account_id) AS turn
    FROM (
      SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY event_id, id) AS round
      FROM (SELECT * FROM oldest UNION SELECT * FROM shares) AS o
    ) AS o
    ORDER BY turn LIMIT ${CANDIDATES}
  ),
  free AS MATERIALIZED (
    SELECT * FROM nestjs_emails.event_outbox WHERE id = ANY(ARRAY(SELECT id FROM candidates)) FOR UPDATE SKIP LOCKED
  ),
  locked AS MATERIALIZED (
    SELECT email_id, min(event_id) AS first FROM candidates WHERE id NOT IN (SELECT id FROM free) GROUP BY email_id
  )
  SELECT free.*, c.turn FROM candidates c JOIN free ON free.id = c.id LEFT JOIN locked ON locked.email_id = c.email_id
  WHERE locked.first IS NULL OR c.event_id < locked.first
  ORDER BY c.turn LIMIT $5`);

/** $1: subscriber, $2: 1, $3: time from which to look, or null. The first event of an email whose time has come. */
export const DUE = eventsOf(`
  SELECT o.*, 1 AS turn FROM ${FIRST_DUE} AS first CROSS JOIN LATERAL (
    SELECT * FROM nestjs_emails.event_outbox p
    WHERE ${IS_PUT_OFF} AND p.email_id = first.email_id AND ${IS_DUE} ORDER BY event_id, id LIMIT $2) AS o
  WHERE first.email_id IS NOT NULL
  UNION ALL SELECT o.*, 1 FROM ${FIRST_DUE} AS first JOIN nestjs_emails.event_outbox o ON o.id = first.id
  WHERE first.email_id IS NULL`);
