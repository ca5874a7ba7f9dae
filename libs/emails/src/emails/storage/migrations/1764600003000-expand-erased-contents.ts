import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';

/**
 * Which contents an erasure took away. An email that is accepted at the same moment may refer to one of them, because it was
 * there when the email's attachments were put: that email is refused, and its caller sends it again.
 */
export class ExpandErasedContents1764600003000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: { erased_contents: { columns: 'hash erased_at', indexes: 'erased_contents_pkey' } },
    functions: 'content_elsewhere',
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS nestjs_emails.erased_contents (
        hash text CONSTRAINT erased_contents_pkey PRIMARY KEY,
        erased_at timestamptz NOT NULL DEFAULT now()
      );
      -- Volatile, so that it sees what was committed since the statement began.
      CREATE OR REPLACE FUNCTION nestjs_emails.content_elsewhere(wanted text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        IF EXISTS (SELECT FROM nestjs_emails.erased_contents WHERE hash = wanted)
          AND NOT EXISTS (SELECT FROM nestjs_emails.attachment_contents WHERE hash = wanted AND slice = 0) THEN
          RAISE EXCEPTION 'an erasure took the content away' USING ERRCODE = 'lock_not_available';
        END IF;
        RETURN wanted;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION IF EXISTS nestjs_emails.content_elsewhere(text);
      DROP TABLE IF EXISTS nestjs_emails.erased_contents;
    `);
  }
}
