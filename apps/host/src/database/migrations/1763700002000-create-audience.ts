import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAudience1763700002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE topics (
        id uuid CONSTRAINT topics_pkey PRIMARY KEY,
        seq bigserial NOT NULL,
        account_id uuid NOT NULL CONSTRAINT topics_account_fkey REFERENCES accounts ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        default_subscription text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX topics_by_account ON topics (account_id, seq);

      CREATE TABLE contacts (
        id uuid CONSTRAINT contacts_pkey PRIMARY KEY,
        seq bigserial NOT NULL,
        account_id uuid NOT NULL CONSTRAINT contacts_account_fkey REFERENCES accounts ON DELETE CASCADE,
        email text NOT NULL,
        email_key text NOT NULL,
        first_name text,
        last_name text,
        unsubscribed boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX contacts_by_account ON contacts (account_id, seq);
      CREATE UNIQUE INDEX contacts_by_email ON contacts (account_id, email_key);

      CREATE TABLE topic_choices (
        contact_id uuid NOT NULL CONSTRAINT topic_choices_contact_fkey REFERENCES contacts ON DELETE CASCADE,
        topic_id uuid NOT NULL CONSTRAINT topic_choices_topic_fkey REFERENCES topics ON DELETE CASCADE,
        subscription text NOT NULL,
        CONSTRAINT topic_choices_pkey PRIMARY KEY (contact_id, topic_id)
      );
      CREATE INDEX topic_choices_by_topic ON topic_choices (topic_id);

      CREATE TABLE templates (
        id uuid CONSTRAINT templates_pkey PRIMARY KEY,
        seq bigserial NOT NULL,
        account_id uuid NOT NULL CONSTRAINT templates_account_fkey REFERENCES accounts ON DELETE CASCADE,
        name text NOT NULL,
        alias text,
        from_mailbox text,
        subject text,
        reply_to_mailboxes text[] NOT NULL DEFAULT '{}',
        html text,
        text text,
        variables jsonb NOT NULL DEFAULT '[]',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        published_at timestamptz,
        published jsonb
      );
      CREATE UNIQUE INDEX templates_by_account ON templates (account_id, seq);
      CREATE UNIQUE INDEX templates_by_alias ON templates (account_id, alias);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE templates; DROP TABLE topic_choices; DROP TABLE contacts; DROP TABLE topics;');
  }
}
