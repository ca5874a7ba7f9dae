import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema } from '../../../shared/migrations/schema.js';

/**
 * Gives the database an identity that the names of its queues carry. Old processes work on with the queues that have
 * none: a job counts for nothing, and whoever sweeps finds what the others left.
 */
export class ExpandIdentity1764200006000 implements MigrationInterface {
  static readonly makes: Makes = { tables: { identity: { columns: 'id', indexes: 'identity_pkey identity_is_one' } } };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS nestjs_emails.identity (
        id uuid CONSTRAINT identity_pkey PRIMARY KEY DEFAULT gen_random_uuid()
      );
      CREATE UNIQUE INDEX IF NOT EXISTS identity_is_one ON nestjs_emails.identity ((true));
      INSERT INTO nestjs_emails.identity DEFAULT VALUES ON CONFLICT DO NOTHING;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS nestjs_emails.identity');
    await dropUnusedSchema(runner);
  }
}
