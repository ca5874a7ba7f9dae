import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema, makeSchema } from '../../../shared/migrations/schema.js';

/** What is there stays: a host may have dropped some of its tables and not others. */
export class CreateEmails1763700000000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      emails: {
        columns:
          'id seq account_id message_id from_mailbox to_mailboxes cc_mailboxes bcc_mailboxes reply_to_mailboxes subject html ' +
          'text headers tags topic_id scheduled_at created_at',
        indexes: 'emails_pkey emails_by_account',
        sequences: 'seq',
      },
      deliveries: {
        columns: 'email_id last_event due_at fence attempts recipients',
        indexes: 'deliveries_pkey deliveries_due',
        foreignKeys: 'deliveries_email_fkey',
      },
      attempts: {
        columns: 'email_id fence started_at finished_at unknown outcomes',
        indexes: 'attempts_pkey',
        foreignKeys: 'attempts_email_fkey',
      },
      events: {
        columns: 'id email_id type recipient reason occurred_at',
        indexes: 'events_pkey events_by_email',
        foreignKeys: 'events_email_fkey',
        sequences: 'id',
      },
      idempotency_keys: {
        columns: 'account_id key request_hash email_id expires_at',
        indexes: 'idempotency_keys_pkey idempotency_keys_expiry',
      },
      attachments: {
        columns: 'email_id position filename content_type content_id content_hash size',
        indexes: 'attachments_pkey attachments_by_content',
        foreignKeys: 'attachments_email_fkey',
      },
      attachment_contents: {
        columns: 'hash slice content touched_at',
        indexes: 'attachment_contents_pkey',
      },
    },
  };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS nestjs_emails.emails (
        id uuid CONSTRAINT emails_pkey PRIMARY KEY,
        seq bigserial NOT NULL,
        account_id text NOT NULL,
        message_id text NOT NULL,
        from_mailbox text NOT NULL,
        to_mailboxes text[] NOT NULL,
        cc_mailboxes text[] NOT NULL,
        bcc_mailboxes text[] NOT NULL,
        reply_to_mailboxes text[] NOT NULL,
        subject text NOT NULL,
        html text,
        text text,
        headers jsonb NOT NULL,
        tags jsonb NOT NULL,
        topic_id uuid,
        scheduled_at timestamptz,
        created_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX IF NOT EXISTS emails_by_account ON nestjs_emails.emails (account_id, seq);

      CREATE TABLE IF NOT EXISTS nestjs_emails.deliveries (
        email_id uuid CONSTRAINT deliveries_pkey PRIMARY KEY
          CONSTRAINT deliveries_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
        last_event text NOT NULL,
        due_at timestamptz,
        fence integer NOT NULL DEFAULT 0,
        attempts integer NOT NULL DEFAULT 0,
        recipients jsonb NOT NULL
      );
      CREATE INDEX IF NOT EXISTS deliveries_due ON nestjs_emails.deliveries (due_at) WHERE due_at IS NOT NULL;

      CREATE TABLE IF NOT EXISTS nestjs_emails.attempts (
        email_id uuid NOT NULL CONSTRAINT attempts_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
        fence integer NOT NULL,
        started_at timestamptz NOT NULL,
        finished_at timestamptz,
        unknown boolean NOT NULL DEFAULT false,
        outcomes jsonb,
        CONSTRAINT attempts_pkey PRIMARY KEY (email_id, fence)
      );

      CREATE TABLE IF NOT EXISTS nestjs_emails.events (
        id bigserial CONSTRAINT events_pkey PRIMARY KEY,
        email_id uuid NOT NULL CONSTRAINT events_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
        type text NOT NULL,
        recipient text,
        reason text,
        occurred_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX IF NOT EXISTS events_by_email ON nestjs_emails.events (email_id, id);

      CREATE TABLE IF NOT EXISTS nestjs_emails.idempotency_keys (
        account_id text NOT NULL,
        key text NOT NULL,
        request_hash text NOT NULL,
        email_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, key)
      );
      CREATE INDEX IF NOT EXISTS idempotency_keys_expiry ON nestjs_emails.idempotency_keys (expires_at);

      CREATE TABLE IF NOT EXISTS nestjs_emails.attachments (
        email_id uuid NOT NULL CONSTRAINT attachments_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
        position integer NOT NULL,
        filename text,
        content_type text NOT NULL,
        content_id text,
        content_hash text NOT NULL,
        size integer NOT NULL,
        CONSTRAINT attachments_pkey PRIMARY KEY (email_id, position)
      );
      CREATE INDEX IF NOT EXISTS attachments_by_content ON nestjs_emails.attachments (content_hash);

      CREATE TABLE IF NOT EXISTS nestjs_emails.attachment_contents (
        hash text NOT NULL,
        slice integer NOT NULL,
        content bytea NOT NULL,
        touched_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT attachment_contents_pkey PRIMARY KEY (hash, slice)
      );
      ALTER TABLE nestjs_emails.attachment_contents ALTER COLUMN content SET STORAGE EXTERNAL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE IF EXISTS nestjs_emails.attachment_contents, nestjs_emails.attachments, nestjs_emails.idempotency_keys,
        nestjs_emails.events, nestjs_emails.attempts, nestjs_emails.deliveries, nestjs_emails.emails;
    `);
    await dropUnusedSchema(runner);
  }
}
