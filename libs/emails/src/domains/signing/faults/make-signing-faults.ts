import type { QueryRunner } from 'typeorm';
import type { CreatedTable } from '../../../shared/migrations/makes.js';
import { makeTable } from '../../../shared/migrations/tables.js';

export const SIGNING_FAULTS: Readonly<Record<string, CreatedTable>> = {
  signing_faults: { columns: 'account_id domain since failed_at', indexes: 'signing_faults_pkey' },
};

/** One row for each domain that cannot sign at the moment. */
export async function makeSigningFaults(runner: QueryRunner): Promise<void> {
  await makeTable(
    runner,
    'signing_faults',
    {
      account_id: 'text NOT NULL',
      domain: 'text NOT NULL',
      since: 'timestamptz NOT NULL DEFAULT now()',
      failed_at: 'timestamptz NOT NULL DEFAULT now()',
    },
    { constraints: ['CONSTRAINT signing_faults_pkey PRIMARY KEY (account_id, domain)'] },
  );
}
