import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { CreatedObjects } from '../../shared/migrations/makes.js';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables, makeTable } from '../../shared/migrations/tables.js';
import { numberAtCommit } from '../../shared/rows/number-at-commit.js';

export class TemplatesCreate1764800004000 implements MigrationInterface {
  static readonly makes: CreatedObjects = {
    tables: {
      templates: {
        columns:
          'id seq account_id name alias from_mailbox subject reply_to_mailboxes html text variables sensitive created_at ' +
          'updated_at published_at published',
        indexes: 'templates_pkey templates_by_account templates_by_alias',
        sequences: 'seq',
        triggers: 'number_at_commit',
      },
    },
    functions: 'number_at_commit',
  };

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
      sensitive: 'boolean NOT NULL DEFAULT false',
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
