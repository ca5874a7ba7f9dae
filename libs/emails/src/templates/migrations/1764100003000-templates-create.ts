import type { MigrationInterface, QueryRunner } from 'typeorm';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables, makeTable } from '../../shared/migrations/tables.js';
import { numberAtCommit } from '../../shared/rows/number-at-commit.js';

/** What a host of an earlier version had in its own tables is there already, and stays as it is. */
export class TemplatesCreate1764100003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await makeTable(runner, 'templates', {
      id: 'uuid CONSTRAINT templates_pkey PRIMARY KEY',
      seq: 'bigserial NOT NULL',
      account_id: 'text NOT NULL',
      name: 'text NOT NULL',
      alias: 'text',
      from_mailbox: 'text',
      subject: 'text',
      reply_to_mailboxes: "text[] NOT NULL DEFAULT '{}'",
      html: 'text',
      text: 'text',
      variables: "jsonb NOT NULL DEFAULT '[]'",
      created_at: 'timestamptz NOT NULL DEFAULT now()',
      updated_at: 'timestamptz NOT NULL DEFAULT now()',
      published_at: 'timestamptz',
      published: 'jsonb',
    });
    await runner.query(`
      CREATE UNIQUE INDEX IF NOT EXISTS templates_by_account ON nestjs_emails.templates (account_id, seq);
      CREATE UNIQUE INDEX IF NOT EXISTS templates_by_alias ON nestjs_emails.templates (account_id, alias);
    `);
    await numberAtCommit(runner, 'templates');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropEmptyTables(runner, 'templates');
  }
}
