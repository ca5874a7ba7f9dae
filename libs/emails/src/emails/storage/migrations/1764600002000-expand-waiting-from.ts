import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';

/**
 * Since when an email has been due that waits for a next hop: its own time is that at which it looks for the hop again.
 * Null for those that old processes let wait.
 */
export class ExpandWaitingFrom1764600002000 implements MigrationInterface {
  static readonly makes: Makes = { tables: { deliveries: { columns: 'waits_from' } } };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE nestjs_emails.deliveries ADD COLUMN IF NOT EXISTS waits_from timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE IF EXISTS nestjs_emails.deliveries DROP COLUMN IF EXISTS waits_from');
  }
}
