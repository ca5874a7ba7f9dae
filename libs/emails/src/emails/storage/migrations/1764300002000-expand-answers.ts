import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema } from '../../../shared/migrations/schema.js';

/**
 * Keeps whole answers under idempotency keys, per endpoint, and which email another one is a repetition of. Old processes
 * work on with the keys of single emails, which stay where they are.
 */
export class ExpandAnswers1764300002000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      idempotent_answers: {
        columns: 'account_id endpoint key request_hash answer expires_at',
        indexes: 'idempotent_answers_pkey idempotent_answers_expiry',
      },
      emails: { columns: 'resent_from' },
    },
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS nestjs_emails.idempotent_answers (
        account_id text NOT NULL,
        endpoint text NOT NULL,
        key text NOT NULL,
        request_hash text NOT NULL,
        answer jsonb NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT idempotent_answers_pkey PRIMARY KEY (account_id, endpoint, key)
      );
      CREATE INDEX IF NOT EXISTS idempotent_answers_expiry ON nestjs_emails.idempotent_answers (expires_at);
      ALTER TABLE nestjs_emails.emails ADD COLUMN IF NOT EXISTS resent_from uuid;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE IF EXISTS nestjs_emails.emails DROP COLUMN IF EXISTS resent_from;
      DROP TABLE IF EXISTS nestjs_emails.idempotent_answers;
    `);
    await dropUnusedSchema(runner);
  }
}
