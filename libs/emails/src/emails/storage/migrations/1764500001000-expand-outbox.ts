import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema } from '../../../shared/migrations/schema.js';

/** Who subscribes to something of an account, and what is not told to subscriptions of one account alone. */
const matching = (account: string, type: string) => `
  SELECT id, subscriber FROM nestjs_emails.event_subscriptions
  WHERE account_id = ${account} AND (types IS NULL OR ${type} = ANY(types))
  UNION ALL
  SELECT id, subscriber FROM nestjs_emails.event_subscriptions
  WHERE account_id IS NULL AND (types IS NULL OR ${type} = ANY(types))`;

/**
 * A transaction that does not see what was committed since it began does not see the newest subscriptions either. That there
 * may be some it sees by their sequence, which belongs to no transaction: then who gets the event is decided at its hand-over.
 */
const MAY_HAVE_NEWER = `current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
          AND coalesce(pg_sequence_last_value('nestjs_emails.event_subscriptions_id_seq'), 0)
            > (SELECT coalesce(max(id), 0) FROM nestjs_emails.event_subscriptions)`;

/**
 * The functions that record what subscribers are to be told.
 *
 * @param newest the column that notes the newest subscription of an undecided event. Default: none, as in the version before
 */
export function publishFunctions(newest?: string): string {
  const [column, value] = newest
    ? [`, ${newest}`, ", pg_sequence_last_value('nestjs_emails.event_subscriptions_id_seq')"]
    : ['', ''];
  return `
  CREATE OR REPLACE FUNCTION nestjs_emails.publish_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF ${MAY_HAVE_NEWER} THEN
      INSERT INTO nestjs_emails.event_outbox (account_id, event_id, email_id, type, occurred_at${column})
      SELECT e.account_id, v.id, v.email_id, v.type, v.occurred_at${value}
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
      INSERT INTO nestjs_emails.event_outbox (account_id, event_id, type, data, occurred_at${column})
      VALUES (account, nextval('nestjs_emails.events_id_seq'), kind, content, clock_timestamp()${value});
    ELSIF EXISTS (SELECT FROM nestjs_emails.event_subscriptions) THEN
      INSERT INTO nestjs_emails.event_outbox
        (subscription_id, subscriber, account_id, event_id, type, data, occurred_at)
      SELECT s.id, s.subscriber, account, number, kind, content, clock_timestamp()
      FROM (SELECT nextval('nestjs_emails.events_id_seq') AS number OFFSET 0) AS one
      CROSS JOIN LATERAL (${matching('account', 'kind')}) s;
    END IF;
  END $$;
  `;
}

/**
 * Who is told of events, and what they are still to be told: written in the transaction of the event, whoever records it, so
 * that old processes write it too. Who subscribes is asked by the statement that records: its commit makes both true or
 * neither. What is to be told has no foreign key: it is looked at by nobody but him who hands it over, and nobody waits for him.
 * Events of one email have ids in the order of their commits, and so are they handed over.
 */
export class ExpandOutbox1764500001000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      events: { triggers: 'publish_events' },
      event_subscriptions: {
        columns: 'id subscriber key account_id types since',
        indexes: 'event_subscriptions_pkey event_subscriptions_by_key event_subscriptions_by_account',
        sequences: 'id',
      },
      event_outbox: {
        columns:
          'id subscription_id subscriber account_id event_id email_id type data occurred_at put_off_until failures xid',
        indexes: 'event_outbox_pkey event_outbox_ready event_outbox_put_off event_outbox_behind event_outbox_records',
        sequences: 'id',
      },
    },
    functions: 'publish_events publish',
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS nestjs_emails.event_subscriptions (
        id bigserial CONSTRAINT event_subscriptions_pkey PRIMARY KEY,
        subscriber text NOT NULL,
        key text NOT NULL DEFAULT '',
        account_id text,
        types text[],
        since pg_snapshot NOT NULL DEFAULT pg_current_snapshot()
      );
      CREATE UNIQUE INDEX IF NOT EXISTS event_subscriptions_by_key
        ON nestjs_emails.event_subscriptions (subscriber, key);
      CREATE INDEX IF NOT EXISTS event_subscriptions_by_account ON nestjs_emails.event_subscriptions (account_id);

      CREATE TABLE IF NOT EXISTS nestjs_emails.event_outbox (
        id bigserial CONSTRAINT event_outbox_pkey PRIMARY KEY,
        subscription_id bigint,
        subscriber text,
        account_id text NOT NULL,
        event_id bigint NOT NULL,
        email_id uuid,
        type text NOT NULL,
        data jsonb,
        occurred_at timestamptz NOT NULL,
        put_off_until timestamptz,
        failures integer NOT NULL DEFAULT 0,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id()
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
      CREATE INDEX IF NOT EXISTS event_outbox_ready ON nestjs_emails.event_outbox (subscriber, event_id, id)
        WHERE put_off_until IS NULL;
      CREATE INDEX IF NOT EXISTS event_outbox_put_off ON nestjs_emails.event_outbox (subscriber, put_off_until, event_id)
        WHERE put_off_until IS NOT NULL;
      CREATE INDEX IF NOT EXISTS event_outbox_behind ON nestjs_emails.event_outbox (email_id, subscriber, event_id)
        WHERE put_off_until IS NOT NULL;
      CREATE INDEX IF NOT EXISTS event_outbox_records ON nestjs_emails.event_outbox (account_id) WHERE data IS NOT NULL;

      ${publishFunctions()}
      DROP TRIGGER IF EXISTS publish_events ON nestjs_emails.events;
      CREATE TRIGGER publish_events AFTER INSERT ON nestjs_emails.events
        REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.publish_events();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER IF EXISTS publish_events ON nestjs_emails.events;
      DROP FUNCTION IF EXISTS nestjs_emails.publish_events();
      DROP FUNCTION IF EXISTS nestjs_emails.publish(text, text, jsonb);
      DROP TABLE IF EXISTS nestjs_emails.event_outbox, nestjs_emails.event_subscriptions;
    `);
    await dropUnusedSchema(runner);
  }
}
