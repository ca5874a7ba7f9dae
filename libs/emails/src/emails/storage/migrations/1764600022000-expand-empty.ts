import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';

/**
 * Marks emails that were accepted without content, so that they differ from those whose content was cleared. Old processes
 * do not mark what they accept: such an email counts as cleared, as before.
 */
export class ExpandEmpty1764600022000 implements MigrationInterface {
  static readonly makes: Makes = { tables: { emails: { columns: 'accepted_empty' } } };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE nestjs_emails.emails ADD COLUMN IF NOT EXISTS accepted_empty boolean');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE IF EXISTS nestjs_emails.emails DROP COLUMN IF EXISTS accepted_empty');
  }
}
