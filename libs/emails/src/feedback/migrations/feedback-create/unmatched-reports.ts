import type { QueryRunner } from 'typeorm';
import type { CreatedTable } from '../../../shared/migrations/makes.js';
import { makeTable } from '../../../shared/migrations/tables.js';

export const UNMATCHED_REPORTS: Readonly<Record<string, CreatedTable>> = {
  unmatched_reports: { columns: 'id first_at last_at', indexes: 'unmatched_reports_pkey' },
};

/** One row: the first and the last of the reports without an email that follow each other within an hour. */
export async function makeUnmatchedReports(runner: QueryRunner): Promise<void> {
  await makeTable(runner, 'unmatched_reports', {
    id: 'integer CONSTRAINT unmatched_reports_pkey PRIMARY KEY',
    first_at: 'timestamptz NOT NULL',
    last_at: 'timestamptz NOT NULL',
  });
}
