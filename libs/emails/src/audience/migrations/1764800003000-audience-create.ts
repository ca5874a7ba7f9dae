import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { CreatedObjects } from '../../shared/migrations/makes.js';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables, makeTable } from '../../shared/migrations/tables.js';
import { numberAtCommit } from '../../shared/rows/number-at-commit.js';
import { PUBLISHING } from './audience-create/publishing.sql.js';

export class AudienceCreate1764800003000 implements MigrationInterface {
  static readonly makes: CreatedObjects = {
    tables: {
      topics: {
        columns: 'id seq account_id name description default_subscription created_at visibility',
        indexes: 'topics_pkey topics_by_account',
        sequences: 'seq',
        triggers: 'number_at_commit publish_topic publish_topic_change',
      },
      contacts: {
        columns: 'id seq account_id email email_key first_name last_name unsubscribed created_at properties',
        indexes: 'contacts_pkey contacts_by_account contacts_by_email',
        sequences: 'seq',
        triggers: 'number_at_commit publish_contact publish_contact_change',
      },
      topic_choices: {
        columns: 'contact_id topic_id subscription',
        indexes: 'topic_choices_pkey topic_choices_by_topic',
        foreignKeys: 'topic_choices_contact_fkey topic_choices_topic_fkey',
        triggers: 'publish_new_choices publish_changed_choices',
      },
    },
    functions: 'number_at_commit publish_contact publish_topic publish_new_choices publish_changed_choices',
  };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await makeTable(runner, 'topics', {
      id: 'uuid CONSTRAINT topics_pkey PRIMARY KEY',
      seq: 'bigserial NOT NULL',
      account_id: 'text NOT NULL',
      name: 'text NOT NULL',
      description: 'text',
      default_subscription: 'text NOT NULL',
      created_at: 'timestamptz NOT NULL DEFAULT now()',
      visibility: "text NOT NULL DEFAULT 'private'",
    });
    await makeTable(runner, 'contacts', {
      id: 'uuid CONSTRAINT contacts_pkey PRIMARY KEY',
      seq: 'bigserial NOT NULL',
      account_id: 'text NOT NULL',
      email: 'text NOT NULL',
      email_key: 'text NOT NULL',
      first_name: 'text',
      last_name: 'text',
      unsubscribed: 'boolean NOT NULL DEFAULT false',
      created_at: 'timestamptz NOT NULL DEFAULT now()',
      properties: "jsonb NOT NULL DEFAULT '{}'",
    });
    await makeTable(
      runner,
      'topic_choices',
      {
        contact_id:
          'uuid NOT NULL CONSTRAINT topic_choices_contact_fkey REFERENCES nestjs_emails.contacts ON DELETE CASCADE',
        topic_id: 'uuid NOT NULL CONSTRAINT topic_choices_topic_fkey REFERENCES nestjs_emails.topics ON DELETE CASCADE',
        subscription: 'text NOT NULL',
      },
      { constraints: ['CONSTRAINT topic_choices_pkey PRIMARY KEY (contact_id, topic_id)'] },
    );
    await runner.query(`
      CREATE UNIQUE INDEX IF NOT EXISTS topics_by_account ON nestjs_emails.topics (account_id, seq);
      CREATE UNIQUE INDEX IF NOT EXISTS contacts_by_account ON nestjs_emails.contacts (account_id, seq);
      CREATE UNIQUE INDEX IF NOT EXISTS contacts_by_email ON nestjs_emails.contacts (account_id, email_key);
      CREATE INDEX IF NOT EXISTS topic_choices_by_topic ON nestjs_emails.topic_choices (topic_id);
    `);
    await numberAtCommit(runner, 'topics');
    await numberAtCommit(runner, 'contacts');
    await runner.query(PUBLISHING);
  }

  async down(runner: QueryRunner): Promise<void> {
    // CASCADE drops their triggers as well, which a table that still has rows keeps.
    await runner.query(`
      DROP FUNCTION IF EXISTS nestjs_emails.publish_contact(), nestjs_emails.publish_topic(),
        nestjs_emails.publish_new_choices(), nestjs_emails.publish_changed_choices() CASCADE;
    `);
    await dropEmptyTables(runner, 'topic_choices', 'contacts', 'topics');
  }
}
