import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';

/**
 * Message ids that callers give are unique within their account. Those that are made have the email's id in them, and are
 * in no index: an email whose caller gives none costs nothing. Old processes take none from callers.
 */
export class ExpandMessageIds1764300004000 implements MigrationInterface {
  static readonly makes: Makes = { tables: { emails: { indexes: 'emails_by_message_id' } } };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNIQUE INDEX IF NOT EXISTS emails_by_message_id ON nestjs_emails.emails (account_id, message_id)
        WHERE strpos(message_id, id::text) = 0;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS nestjs_emails.emails_by_message_id');
  }
}
