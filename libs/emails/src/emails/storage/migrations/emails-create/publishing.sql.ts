/** Subscriptions that match a type of an account's events. Some types are not for subscriptions of a single account. */
const matching = (account: string, type: string) => `
  SELECT id, subscriber FROM nestjs_emails.event_subscriptions
  WHERE account_id = ${account} AND (types IS NULL OR ${type} = ANY(types))
  UNION ALL
  SELECT id, subscriber FROM nestjs_emails.event_subscriptions
  WHERE account_id IS NULL AND (types IS NULL OR ${type} = ANY(types))`;

/** The number of the newest subscription, committed or not: sequences are not transactional. */
const NEWEST = "pg_sequence_last_value('nestjs_emails.event_subscriptions_id_seq')";

/**
 * A transaction with an old snapshot does not see the newest subscriptions. Their sequence shows that there may be
 * some: then the subscribers of the event are decided at its hand-over.
 */
const MAY_HAVE_NEWER = `current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
          AND coalesce(${NEWEST}, 0)
            > (SELECT coalesce(max(id), 0) FROM nestjs_emails.event_subscriptions)`;

/**
 * Functions that record events for subscribers in the transaction of the event. The recording statement also reads the
 * subscriptions, so that its commit covers both. An undecided event notes the number of the newest subscription
 * requested at that time: snapshots would be meaningless after a dump is restored into another cluster. Events of one
 * email have ids in the order of their commits, and are handed over in that order.
 */
export const PUBLISHING = `
  CREATE OR REPLACE FUNCTION nestjs_emails.publish_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF ${MAY_HAVE_NEWER} THEN
      INSERT INTO nestjs_emails.event_outbox (account_id, event_id, email_id, type, occurred_at, newest_subscription)
      SELECT e.account_id, v.id, v.email_id, v.type, v.occurred_at, ${NEWEST}
      FROM recorded v JOIN nestjs_emails.emails e ON e.id = v.email_id ORDER BY v.id;
    ELSIF EXISTS (SELECT FROM nestjs_emails.event_subscriptions) THEN
      INSERT INTO nestjs_emails.event_outbox
        (subscription_id, subscriber, account_id, event_id, email_id, type, occurred_at)
      SELECT s.id, s.subscriber, e.account_id, v.id, v.email_id, v.type, v.occurred_at
      FROM recorded v
      CROSS JOIN LATERAL (SELECT account_id FROM nestjs_emails.emails WHERE id = v.email_id LIMIT 1) e
      CROSS JOIN LATERAL (${matching('e.account_id', 'v.type')}) s
      ORDER BY v.id;
    END IF;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION nestjs_emails.publish(account text, kind text, content jsonb) RETURNS void
    LANGUAGE plpgsql AS $$
  BEGIN
    IF ${MAY_HAVE_NEWER} THEN
      INSERT INTO nestjs_emails.event_outbox (account_id, event_id, type, data, occurred_at, newest_subscription)
      VALUES (account, nextval('nestjs_emails.events_id_seq'), kind, content, clock_timestamp(), ${NEWEST});
    ELSIF EXISTS (SELECT FROM nestjs_emails.event_subscriptions) THEN
      INSERT INTO nestjs_emails.event_outbox
        (subscription_id, subscriber, account_id, event_id, type, data, occurred_at)
      SELECT s.id, s.subscriber, account, number, kind, content, clock_timestamp()
      FROM (SELECT nextval('nestjs_emails.events_id_seq') AS number OFFSET 0) AS one
      CROSS JOIN LATERAL (${matching('account', 'kind')}) s;
    END IF;
  END $$;

  CREATE OR REPLACE TRIGGER publish_events AFTER INSERT ON nestjs_emails.events
    REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.publish_events();
`;
