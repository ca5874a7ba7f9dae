import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { publishFunctions } from './1764500001000-expand-outbox.js';

/**
 * An undecided event notes the newest subscription that was asked for when it was recorded, by its number. The snapshots
 * with which the version before compares belong to one cluster of PostgreSQL and mean nothing after a dump is restored into
 * another one. An event without the number, recorded before this migration, goes to every subscription that fits.
 *
 * And indexes for looks that cost the same however much was handed over before: by transaction for what is new since the
 * last look, by account for what is undecided. The first has no condition: an index with one is also read from end to end,
 * where the planner believes that the table is empty.
 */
export class ExpandUndecided1764600001000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      event_outbox: { columns: 'newest_subscription', indexes: 'event_outbox_recent event_outbox_undecided' },
    },
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE nestjs_emails.event_outbox ADD COLUMN IF NOT EXISTS newest_subscription bigint;
      CREATE INDEX IF NOT EXISTS event_outbox_recent ON nestjs_emails.event_outbox (xid);
      CREATE INDEX IF NOT EXISTS event_outbox_undecided ON nestjs_emails.event_outbox (account_id, event_id)
        WHERE subscriber IS NULL AND put_off_until IS NULL;
      ${publishFunctions('newest_subscription')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    const [outbox]: { there: boolean }[] = await runner.query(
      "SELECT to_regclass('nestjs_emails.event_outbox') IS NOT NULL AS there",
    );
    if (outbox?.there) await runner.query(publishFunctions());
    await runner.query(`
      DROP INDEX IF EXISTS nestjs_emails.event_outbox_recent, nestjs_emails.event_outbox_undecided;
      ALTER TABLE IF EXISTS nestjs_emails.event_outbox DROP COLUMN IF EXISTS newest_subscription;
    `);
  }
}
