import type { QueryRunner } from 'typeorm';
import type { CreatedTable } from '../../../shared/migrations/makes.js';
import { makeTable } from '../../../shared/migrations/tables.js';

/** The parts of the table `reputations`. */
export const REPUTATIONS: Readonly<Record<string, CreatedTable>> = {
  reputations: {
    columns:
      'account_id new_bounces new_complaints new_refused recipients counted_until buckets level said saying_until since ' +
      'bad_at is_due checked_at',
    indexes: 'reputations_pkey reputations_due',
  },
};

/** Makes the table `reputations`. */
export async function makeReputations(runner: QueryRunner): Promise<void> {
  await makeTable(runner, 'reputations', {
    account_id: 'text CONSTRAINT reputations_pkey PRIMARY KEY',
    new_bounces: 'integer NOT NULL DEFAULT 0',
    new_complaints: 'integer NOT NULL DEFAULT 0',
    new_refused: 'integer NOT NULL DEFAULT 0',
    recipients: 'bigint NOT NULL DEFAULT 0',
    counted_until: 'timestamptz',
    buckets: "jsonb NOT NULL DEFAULT '[]'",
    level: 'text',
    said: 'text',
    saying_until: 'timestamptz',
    since: 'timestamptz',
    bad_at: 'timestamptz',
    is_due: 'boolean NOT NULL DEFAULT false',
    checked_at: "timestamptz NOT NULL DEFAULT '-infinity'",
  });
  await runner.query(`
    CREATE INDEX IF NOT EXISTS reputations_due ON nestjs_emails.reputations (checked_at)
      WHERE is_due OR level IS NOT NULL OR said IS NOT NULL`);
}
