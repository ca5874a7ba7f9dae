import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';

/**
 * What an email waits for, beside its time. Old processes know nothing of it: their leases move the fence, so that what
 * they have taken waits for nothing any more. Of a next hop there is a hash: a text would make rows look so wide that
 * PostgreSQL, before it has statistics, reads the whole table for what is due.
 */
export class ExpandWaiting1764400001000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: { deliveries: { columns: 'waits_for waits_since', indexes: 'deliveries_waiting' } },
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE nestjs_emails.deliveries
        ADD COLUMN IF NOT EXISTS waits_for bigint, ADD COLUMN IF NOT EXISTS waits_since integer;
      CREATE INDEX IF NOT EXISTS deliveries_waiting ON nestjs_emails.deliveries (waits_for, seq)
        WHERE waits_for IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX IF EXISTS nestjs_emails.deliveries_waiting;
      ALTER TABLE IF EXISTS nestjs_emails.deliveries
        DROP COLUMN IF EXISTS waits_for, DROP COLUMN IF EXISTS waits_since;
    `);
  }
}
