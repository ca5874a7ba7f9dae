import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';

/** An index by which the hand-over finds the accounts that have events, and the first events of each. */
export class ExpandTurns1764700021000 implements MigrationInterface {
  static readonly makes: Makes = { tables: { event_outbox: { indexes: 'event_outbox_turns' } } };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX IF NOT EXISTS event_outbox_turns ON nestjs_emails.event_outbox (subscriber, account_id, event_id, id)
        WHERE put_off_until IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS nestjs_emails.event_outbox_turns');
  }
}
