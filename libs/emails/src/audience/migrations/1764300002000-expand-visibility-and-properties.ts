import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../shared/migrations/makes.js';

/** Processes of the version before insert rows without these columns, which then have their defaults. */
export class ExpandVisibilityAndProperties1764300002000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: { topics: { columns: 'visibility' }, contacts: { columns: 'properties' } },
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE nestjs_emails.topics ADD COLUMN IF NOT EXISTS visibility text NOT NULL DEFAULT 'private';
      ALTER TABLE nestjs_emails.contacts ADD COLUMN IF NOT EXISTS properties jsonb NOT NULL DEFAULT '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE nestjs_emails.contacts DROP COLUMN properties;
      ALTER TABLE nestjs_emails.topics DROP COLUMN visibility;
    `);
  }
}
