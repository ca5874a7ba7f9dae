import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../shared/migrations/makes.js';

/** The newest events of all logs, for looks that cost the same however much was sent before. */
export class ExpandWebhookOrder1764600002000 implements MigrationInterface {
  static readonly makes: Makes = { tables: { webhook_events: { indexes: 'webhook_events_by_seq' } } };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX IF NOT EXISTS webhook_events_by_seq ON nestjs_emails.webhook_events (seq)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS nestjs_emails.webhook_events_by_seq');
  }
}
