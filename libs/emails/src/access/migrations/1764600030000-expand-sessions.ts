import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../shared/migrations/makes.js';

/** Remembers sessions of the page that somebody ended. Old processes do not ask: there, such a session runs to its end. */
export class ExpandSessions1764600030000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: { ended_sessions: { columns: 'id ends_at', indexes: 'ended_sessions_pkey ended_sessions_over' } },
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS nestjs_emails.ended_sessions (
        id text NOT NULL,
        ends_at timestamptz NOT NULL,
        CONSTRAINT ended_sessions_pkey PRIMARY KEY (id)
      );
      CREATE INDEX IF NOT EXISTS ended_sessions_over ON nestjs_emails.ended_sessions (ends_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS nestjs_emails.ended_sessions');
  }
}
