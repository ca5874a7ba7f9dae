import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { CreatedObjects } from '../../shared/migrations/makes.js';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables, makeTable } from '../../shared/migrations/tables.js';
import { numberAtCommit } from '../../shared/rows/number-at-commit.js';

/**
 * The log of an endpoint has no foreign key to it, because a log is deleted in steps. A payload is stored once and
 * shared by the logs of all endpoints of an account. The trigger `drop_payloads` deletes it with the last row that
 * refers to it.
 */
export class WebhooksCreate1764800005000 implements MigrationInterface {
  static readonly makes: CreatedObjects = {
    tables: {
      webhooks: {
        columns:
          'id seq account_id created_at endpoint events status secrets failing_from failing_since dropped_to leased_until fence',
        indexes: 'webhooks_pkey webhooks_by_account',
        sequences: 'seq',
        triggers: 'number_at_commit',
      },
      webhook_events: {
        columns:
          'webhook_id seq account_id event_id type created_at recorded_at payload_id people status attempts due_at ' +
          'replays',
        indexes:
          'webhook_events_pkey webhook_events_by_id webhook_events_due webhook_events_replayed webhook_events_failed ' +
          'webhook_events_by_person webhook_events_by_seq webhook_events_by_payload',
        sequences: 'seq',
        triggers: 'drop_payloads',
      },
      webhook_payloads: {
        columns: 'id account_id event_id body email_id recipient',
        indexes: 'webhook_payloads_pkey webhook_payloads_by_event',
        sequences: 'id',
      },
      webhook_attempts: {
        columns: 'id webhook_id event_seq attempt_id http_status_code response sent_at',
        indexes: 'webhook_attempts_pkey',
        sequences: 'id',
      },
    },
    functions: 'number_at_commit drop_payloads',
  };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await makeTable(runner, 'webhooks', {
      id: 'uuid CONSTRAINT webhooks_pkey PRIMARY KEY',
      seq: 'bigserial NOT NULL',
      account_id: 'text NOT NULL',
      created_at: 'timestamptz NOT NULL DEFAULT now()',
      endpoint: 'text NOT NULL',
      events: 'text[] NOT NULL',
      status: 'text NOT NULL',
      secrets: 'jsonb NOT NULL',
      failing_from: 'timestamptz',
      failing_since: 'timestamptz',
      dropped_to: 'bigint NOT NULL DEFAULT 0',
      leased_until: 'timestamptz',
      fence: 'integer NOT NULL DEFAULT 0',
    });
    await makeTable(
      runner,
      'webhook_events',
      {
        webhook_id: 'uuid NOT NULL',
        seq: 'bigserial NOT NULL',
        account_id: 'text NOT NULL',
        event_id: 'text NOT NULL',
        type: 'text NOT NULL',
        created_at: 'timestamptz NOT NULL',
        recorded_at: 'timestamptz NOT NULL DEFAULT now()',
        payload_id: 'bigint NOT NULL',
        people: 'bigint[]',
        status: "text NOT NULL DEFAULT 'pending'",
        attempts: 'integer NOT NULL DEFAULT 0',
        due_at: 'timestamptz DEFAULT now()',
        replays: 'integer NOT NULL DEFAULT 0',
      },
      { constraints: ['CONSTRAINT webhook_events_pkey PRIMARY KEY (webhook_id, seq)'] },
    );
    await makeTable(runner, 'webhook_payloads', {
      id: 'bigserial CONSTRAINT webhook_payloads_pkey PRIMARY KEY',
      account_id: 'text NOT NULL',
      event_id: 'text NOT NULL',
      body: 'text NOT NULL',
      email_id: 'uuid',
      recipient: 'text',
    });
    await makeTable(
      runner,
      'webhook_attempts',
      {
        id: 'bigserial NOT NULL',
        webhook_id: 'uuid NOT NULL',
        event_seq: 'bigint NOT NULL',
        attempt_id: 'text NOT NULL',
        http_status_code: 'integer NOT NULL',
        response: 'text NOT NULL',
        sent_at: 'timestamptz NOT NULL',
      },
      { constraints: ['CONSTRAINT webhook_attempts_pkey PRIMARY KEY (webhook_id, event_seq, id)'] },
    );
    await runner.query(`
      CREATE UNIQUE INDEX IF NOT EXISTS webhooks_by_account ON nestjs_emails.webhooks (account_id, seq);
      CREATE UNIQUE INDEX IF NOT EXISTS webhook_events_by_id ON nestjs_emails.webhook_events (webhook_id, event_id);
      CREATE INDEX IF NOT EXISTS webhook_events_due ON nestjs_emails.webhook_events (webhook_id, due_at, seq)
        WHERE due_at IS NOT NULL;
      CREATE INDEX IF NOT EXISTS webhook_events_replayed ON nestjs_emails.webhook_events (webhook_id, seq)
        WHERE replays > 0;
      CREATE INDEX IF NOT EXISTS webhook_events_failed ON nestjs_emails.webhook_events (webhook_id, created_at, seq)
        WHERE status = 'failed';
      CREATE INDEX IF NOT EXISTS webhook_events_by_person ON nestjs_emails.webhook_events USING gin (people);
      CREATE INDEX IF NOT EXISTS webhook_events_by_seq ON nestjs_emails.webhook_events (seq);
      CREATE INDEX IF NOT EXISTS webhook_events_by_payload ON nestjs_emails.webhook_events (payload_id);
      CREATE UNIQUE INDEX IF NOT EXISTS webhook_payloads_by_event
        ON nestjs_emails.webhook_payloads (account_id, event_id);

      CREATE OR REPLACE FUNCTION nestjs_emails.drop_payloads() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE ids bigint[] := ARRAY(SELECT payload_id FROM deleted);
      BEGIN
        IF cardinality(ids) = 0 THEN RETURN NULL; END IF;
        -- Locked first: of two transactions that delete the last two rows, the second sees what the first has deleted.
        PERFORM FROM nestjs_emails.webhook_payloads WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
        DELETE FROM nestjs_emails.webhook_payloads p WHERE id = ANY (ids)
          AND NOT EXISTS (SELECT FROM nestjs_emails.webhook_events e WHERE e.payload_id = p.id);
        RETURN NULL;
      END $$;

      CREATE OR REPLACE TRIGGER drop_payloads AFTER DELETE ON nestjs_emails.webhook_events
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.drop_payloads();
    `);
    await numberAtCommit(runner, 'webhooks');
  }

  async down(runner: QueryRunner): Promise<void> {
    // CASCADE drops its trigger as well, which a log that still has rows keeps.
    await runner.query('DROP FUNCTION IF EXISTS nestjs_emails.drop_payloads() CASCADE');
    await dropEmptyTables(runner, 'webhook_attempts', 'webhook_events', 'webhook_payloads', 'webhooks');
  }
}
