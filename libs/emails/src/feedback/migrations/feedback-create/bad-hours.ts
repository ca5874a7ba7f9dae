import type { QueryRunner } from 'typeorm';
import type { CreatedTable } from '../../../shared/migrations/makes.js';
import { makeTable } from '../../../shared/migrations/tables.js';

/** The tables of operators' bad hours. */
export const BAD_HOURS: Readonly<Record<string, CreatedTable>> = {
  suppression_candidates: {
    columns: 'id account_id email_key email reason source_id operator counted created_at',
    indexes: 'suppression_candidates_pkey suppression_candidates_by_email suppression_candidates_by_operator',
  },
  operator_counts: {
    columns: 'operator slot recipients refusals own_refusals',
    indexes: 'operator_counts_pkey',
  },
  operator_account_counts: {
    columns: 'operator slot account_id recipients refusals own_refusals',
    indexes: 'operator_account_counts_pkey',
  },
  operator_mailboxes: { columns: 'operator slot mailbox', indexes: 'operator_mailboxes_pkey' },
  operator_holds: {
    columns: 'operator since bad_at limit_rate said ended_at claimed_until',
    indexes: 'operator_holds_pkey',
  },
};

/** Makes them. */
export async function makeBadHours(runner: QueryRunner): Promise<void> {
  await makeTable(runner, 'suppression_candidates', {
    id: 'uuid CONSTRAINT suppression_candidates_pkey PRIMARY KEY',
    account_id: 'text NOT NULL',
    email_key: 'text NOT NULL',
    email: 'text',
    reason: 'text',
    source_id: 'uuid',
    operator: 'text NOT NULL',
    counted: 'boolean NOT NULL DEFAULT false',
    created_at: 'timestamptz NOT NULL DEFAULT now()',
  });
  await runner.query(`
    CREATE UNIQUE INDEX IF NOT EXISTS suppression_candidates_by_email
      ON nestjs_emails.suppression_candidates (account_id, email_key);
    CREATE INDEX IF NOT EXISTS suppression_candidates_by_operator
      ON nestjs_emails.suppression_candidates (operator, account_id, created_at);
  `);
  await makeTable(
    runner,
    'operator_counts',
    {
      operator: 'text NOT NULL',
      slot: 'timestamptz NOT NULL',
      recipients: 'integer NOT NULL DEFAULT 0',
      refusals: 'integer NOT NULL DEFAULT 0',
      own_refusals: 'integer NOT NULL DEFAULT 0',
    },
    { constraints: ['CONSTRAINT operator_counts_pkey PRIMARY KEY (operator, slot)'] },
  );
  await makeTable(
    runner,
    'operator_account_counts',
    {
      operator: 'text NOT NULL',
      slot: 'timestamptz NOT NULL',
      account_id: 'text NOT NULL',
      recipients: 'integer NOT NULL DEFAULT 0',
      refusals: 'integer NOT NULL DEFAULT 0',
      own_refusals: 'integer NOT NULL DEFAULT 0',
    },
    { constraints: ['CONSTRAINT operator_account_counts_pkey PRIMARY KEY (operator, slot, account_id)'] },
  );
  await makeTable(
    runner,
    'operator_mailboxes',
    { operator: 'text NOT NULL', slot: 'timestamptz NOT NULL', mailbox: 'bytea NOT NULL' },
    { constraints: ['CONSTRAINT operator_mailboxes_pkey PRIMARY KEY (operator, slot, mailbox)'] },
  );
  await makeTable(runner, 'operator_holds', {
    operator: 'text CONSTRAINT operator_holds_pkey PRIMARY KEY',
    since: 'timestamptz NOT NULL DEFAULT now()',
    bad_at: 'timestamptz NOT NULL DEFAULT now()',
    limit_rate: 'float8 NOT NULL',
    said: 'boolean NOT NULL DEFAULT false',
    ended_at: 'timestamptz',
    claimed_until: "timestamptz NOT NULL DEFAULT '-infinity'",
  });
}
