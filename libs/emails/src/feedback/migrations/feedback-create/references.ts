import type { QueryRunner } from 'typeorm';
import type { CreatedTable } from '../../../shared/migrations/makes.js';
import { makeTable } from '../../../shared/migrations/tables.js';

export const EMAIL_REFERENCES: Readonly<Record<string, CreatedTable>> = {
  email_references: {
    columns: 'hash email_id noted_at',
    indexes: 'email_references_pkey email_references_by_age',
  },
};

export async function makeEmailReferences(runner: QueryRunner): Promise<void> {
  await makeTable(
    runner,
    'email_references',
    { hash: 'bytea NOT NULL', email_id: 'uuid NOT NULL', noted_at: 'timestamptz NOT NULL DEFAULT now()' },
    { constraints: ['CONSTRAINT email_references_pkey PRIMARY KEY (hash, email_id)'] },
  );
  await runner.query('CREATE INDEX IF NOT EXISTS email_references_by_age ON nestjs_emails.email_references (noted_at)');
}
