import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../shared/migrations/makes.js';
import { dropEmptyTables, makeTable } from '../../shared/migrations/tables.js';

/**
 * A payload is stored once and shared by the logs of all endpoints of an account. The trigger `drop_payloads` deletes it with
 * the last row that refers to it.
 */
export class ExpandWebhookPayloads1764700011000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      webhook_payloads: {
        columns: 'id account_id event_id body',
        indexes: 'webhook_payloads_pkey webhook_payloads_by_event',
        sequences: 'id',
      },
      webhook_events: { columns: 'payload_id', indexes: 'webhook_events_by_payload', triggers: 'drop_payloads' },
    },
    functions: 'drop_payloads',
  };

  async up(runner: QueryRunner): Promise<void> {
    await makeTable(runner, 'webhook_payloads', {
      id: 'bigserial CONSTRAINT webhook_payloads_pkey PRIMARY KEY',
      account_id: 'text NOT NULL',
      event_id: 'text NOT NULL',
      body: 'text NOT NULL',
    });
    await runner.query(`
      CREATE UNIQUE INDEX IF NOT EXISTS webhook_payloads_by_event
        ON nestjs_emails.webhook_payloads (account_id, event_id);
      ALTER TABLE nestjs_emails.webhook_events ADD COLUMN IF NOT EXISTS payload_id bigint,
        ALTER COLUMN payload DROP NOT NULL;
      CREATE INDEX IF NOT EXISTS webhook_events_by_payload ON nestjs_emails.webhook_events (payload_id)
        WHERE payload_id IS NOT NULL;

      CREATE OR REPLACE FUNCTION nestjs_emails.drop_payloads() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE ids bigint[] := ARRAY(SELECT payload_id FROM deleted WHERE payload_id IS NOT NULL);
      BEGIN
        IF cardinality(ids) = 0 THEN RETURN NULL; END IF;
        -- Locked first: of two transactions that delete the last two rows, the second sees what the first has deleted.
        PERFORM FROM nestjs_emails.webhook_payloads WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
        DELETE FROM nestjs_emails.webhook_payloads p WHERE id = ANY (ids)
          AND NOT EXISTS (SELECT FROM nestjs_emails.webhook_events e WHERE e.payload_id = p.id);
        RETURN NULL;
      END $$;

      DROP TRIGGER IF EXISTS drop_payloads ON nestjs_emails.webhook_events;
      CREATE TRIGGER drop_payloads AFTER DELETE ON nestjs_emails.webhook_events
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.drop_payloads();
    `);
  }

  /** Gives each row its payload back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER IF EXISTS drop_payloads ON nestjs_emails.webhook_events;
      DROP FUNCTION IF EXISTS nestjs_emails.drop_payloads();
      UPDATE nestjs_emails.webhook_events e SET payload = p.body
        FROM nestjs_emails.webhook_payloads p WHERE p.id = e.payload_id;
      DELETE FROM nestjs_emails.webhook_payloads;
      ALTER TABLE IF EXISTS nestjs_emails.webhook_events DROP COLUMN IF EXISTS payload_id,
        ALTER COLUMN payload SET NOT NULL;
    `);
    await dropEmptyTables(runner, 'webhook_payloads');
  }
}
