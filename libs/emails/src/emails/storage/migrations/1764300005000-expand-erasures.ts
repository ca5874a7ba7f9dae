import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema } from '../../../shared/migrations/schema.js';

/** Old processes know of no erasures, and their leases are respected as those of others. */
export class ExpandErasures1764300005000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      erasures: {
        columns: 'id account_id created_at address before_seq place left_over searched due_at fence',
        indexes: 'erasures_pkey erasures_due',
      },
      erasure_remainders: {
        columns: 'erasure_id seq email_id content sender message_id',
        indexes: 'erasure_remainders_pkey erasure_remainders_by_email',
        foreignKeys: 'erasure_remainders_erasure_fkey erasure_remainders_email_fkey',
      },
    },
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS nestjs_emails.erasures (
        id uuid CONSTRAINT erasures_pkey PRIMARY KEY,
        account_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        address text,
        before_seq bigint NOT NULL,
        place bigint,
        left_over boolean NOT NULL DEFAULT false,
        searched boolean NOT NULL DEFAULT false,
        due_at timestamptz DEFAULT now(),
        fence integer NOT NULL DEFAULT 0
      );
      CREATE INDEX IF NOT EXISTS erasures_due ON nestjs_emails.erasures (due_at) WHERE due_at IS NOT NULL;

      CREATE TABLE IF NOT EXISTS nestjs_emails.erasure_remainders (
        erasure_id uuid NOT NULL
          CONSTRAINT erasure_remainders_erasure_fkey REFERENCES nestjs_emails.erasures ON DELETE CASCADE,
        seq bigint NOT NULL,
        email_id uuid NOT NULL CONSTRAINT erasure_remainders_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
        content boolean NOT NULL,
        sender boolean NOT NULL,
        message_id boolean NOT NULL,
        CONSTRAINT erasure_remainders_pkey PRIMARY KEY (erasure_id, seq)
      );
      CREATE INDEX IF NOT EXISTS erasure_remainders_by_email ON nestjs_emails.erasure_remainders (email_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS nestjs_emails.erasure_remainders, nestjs_emails.erasures');
    await dropUnusedSchema(runner);
  }
}
