import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { CreatedObjects } from '../../shared/migrations/makes.js';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables, makeTable } from '../../shared/migrations/tables.js';
import { numberAtCommit } from '../../shared/rows/number-at-commit.js';
import { makeSigningFaults, SIGNING_FAULTS } from '../signing/faults/make-signing-faults.js';
import { PUBLISHING } from './domains-create/publishing.sql.js';

export class DomainsCreate1764800007000 implements MigrationInterface {
  static readonly makes: CreatedObjects = {
    tables: {
      domains: {
        columns:
          'id seq account_id name region return_path tls sending status checks challenge generation selector_month ' +
          'selector_count verified_at missing_since verifying_since checked_at next_check_at leased_until fence created_at',
        indexes: 'domains_pkey domains_by_account domains_by_name domains_due domains_missing',
        sequences: 'seq',
        triggers: 'number_at_commit',
      },
      domain_keys: {
        columns: 'domain_id selector algorithm generation public_key key_id sealed created_at verified_at retired_at',
        indexes: 'domain_keys_pkey domain_keys_retired',
        foreignKeys: 'domain_keys_domain_fkey',
      },
      ...SIGNING_FAULTS,
    },
    functions: 'number_at_commit publish_domain',
  };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await makeTable(runner, 'domains', {
      id: 'uuid CONSTRAINT domains_pkey PRIMARY KEY',
      seq: 'bigserial NOT NULL',
      account_id: 'text NOT NULL',
      name: 'text NOT NULL',
      region: 'text NOT NULL',
      return_path: 'text NOT NULL',
      tls: 'text NOT NULL',
      sending: 'boolean NOT NULL DEFAULT true',
      status: "text NOT NULL DEFAULT 'not_started'",
      checks: "jsonb NOT NULL DEFAULT '{}'",
      challenge: 'text NOT NULL',
      generation: 'integer NOT NULL DEFAULT 0',
      selector_month: 'text',
      selector_count: 'integer NOT NULL DEFAULT 0',
      verified_at: 'timestamptz',
      missing_since: 'timestamptz',
      verifying_since: 'timestamptz',
      checked_at: 'timestamptz',
      next_check_at: 'timestamptz',
      leased_until: 'timestamptz',
      fence: 'integer NOT NULL DEFAULT 0',
      created_at: 'timestamptz NOT NULL DEFAULT now()',
    });
    await makeTable(
      runner,
      'domain_keys',
      {
        domain_id:
          'uuid NOT NULL CONSTRAINT domain_keys_domain_fkey REFERENCES nestjs_emails.domains ON DELETE CASCADE',
        selector: 'text NOT NULL',
        algorithm: 'text NOT NULL',
        generation: 'integer NOT NULL',
        public_key: 'text NOT NULL',
        key_id: 'text NOT NULL',
        sealed: 'text NOT NULL',
        created_at: 'timestamptz NOT NULL DEFAULT now()',
        verified_at: 'timestamptz',
        retired_at: 'timestamptz',
      },
      { constraints: ['CONSTRAINT domain_keys_pkey PRIMARY KEY (domain_id, selector)'] },
    );
    await runner.query(`
      CREATE UNIQUE INDEX IF NOT EXISTS domains_by_account ON nestjs_emails.domains (account_id, seq);
      CREATE UNIQUE INDEX IF NOT EXISTS domains_by_name ON nestjs_emails.domains (name);
      CREATE INDEX IF NOT EXISTS domains_due ON nestjs_emails.domains (next_check_at) WHERE next_check_at IS NOT NULL;
      CREATE INDEX IF NOT EXISTS domains_missing ON nestjs_emails.domains (missing_since)
        WHERE missing_since IS NOT NULL;
      CREATE INDEX IF NOT EXISTS domain_keys_retired ON nestjs_emails.domain_keys (retired_at)
        WHERE retired_at IS NOT NULL;
    `);
    await makeSigningFaults(runner);
    await numberAtCommit(runner, 'domains');
    await runner.query(PUBLISHING);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION IF EXISTS nestjs_emails.publish_domain(text, text, jsonb)');
    await dropEmptyTables(runner, 'domain_keys', 'domains', 'signing_faults');
  }
}
