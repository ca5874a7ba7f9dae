import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { CreatedObjects } from '../../shared/migrations/makes.js';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables, makeTable } from '../../shared/migrations/tables.js';
import { numberAtCommit } from '../../shared/rows/number-at-commit.js';
import { BAD_HOURS, makeBadHours } from './feedback-create/bad-hours.js';
import { HOOK_TOKENS, makeHookTokens } from './feedback-create/hook-tokens.js';
import { PUBLISHING } from './feedback-create/publishing.sql.js';
import { EMAIL_REFERENCES, makeEmailReferences } from './feedback-create/references.js';
import { makeReputations, REPUTATIONS } from './feedback-create/reputations.js';
import { makeUnmatchedReports, UNMATCHED_REPORTS } from './feedback-create/unmatched-reports.js';

export class FeedbackCreate1764800006000 implements MigrationInterface {
  static readonly makes: CreatedObjects = {
    tables: {
      suppressions: {
        columns: 'id seq account_id email_key email origin reason source_id operator expires_at created_at',
        indexes:
          'suppressions_pkey suppressions_by_account suppressions_by_origin suppressions_by_email ' +
          'suppressions_by_operator suppressions_by_time suppressions_by_expiry',
        sequences: 'seq',
        triggers: 'number_at_commit publish_suppression publish_suppression_change',
      },
      soft_bounces: {
        columns: 'account_id email_key email_id given_up_at',
        indexes: 'soft_bounces_pkey soft_bounces_by_age',
      },
      suppression_keys: { columns: 'id key_id sealed', indexes: 'suppression_keys_pkey' },
      ...EMAIL_REFERENCES,
      ...HOOK_TOKENS,
      ...UNMATCHED_REPORTS,
      ...REPUTATIONS,
      ...BAD_HOURS,
    },
    functions: 'number_at_commit publish_suppression',
  };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await makeTable(runner, 'suppressions', {
      id: 'uuid CONSTRAINT suppressions_pkey PRIMARY KEY',
      seq: 'bigserial NOT NULL',
      account_id: 'text NOT NULL',
      email_key: 'text NOT NULL',
      email: 'text',
      origin: 'text NOT NULL',
      reason: 'text',
      source_id: 'uuid',
      operator: 'text',
      expires_at: 'timestamptz',
      created_at: 'timestamptz NOT NULL DEFAULT now()',
    });
    await makeTable(
      runner,
      'soft_bounces',
      {
        account_id: 'text NOT NULL',
        email_key: 'text NOT NULL',
        email_id: 'uuid NOT NULL',
        given_up_at: 'timestamptz NOT NULL',
      },
      { constraints: ['CONSTRAINT soft_bounces_pkey PRIMARY KEY (account_id, email_key, email_id)'] },
    );
    await makeTable(runner, 'suppression_keys', {
      id: 'integer CONSTRAINT suppression_keys_pkey PRIMARY KEY',
      key_id: 'text NOT NULL',
      sealed: 'text NOT NULL',
    });
    await runner.query(`
      CREATE UNIQUE INDEX IF NOT EXISTS suppressions_by_account ON nestjs_emails.suppressions (account_id, seq);
      CREATE UNIQUE INDEX IF NOT EXISTS suppressions_by_origin ON nestjs_emails.suppressions (account_id, origin, seq);
      CREATE UNIQUE INDEX IF NOT EXISTS suppressions_by_email ON nestjs_emails.suppressions (account_id, email_key);
      CREATE INDEX IF NOT EXISTS suppressions_by_operator ON nestjs_emails.suppressions (account_id, operator, created_at)
        WHERE operator IS NOT NULL;
      CREATE INDEX IF NOT EXISTS suppressions_by_time ON nestjs_emails.suppressions (operator, created_at)
        WHERE operator IS NOT NULL;
      CREATE INDEX IF NOT EXISTS suppressions_by_expiry ON nestjs_emails.suppressions (expires_at)
        WHERE expires_at IS NOT NULL;
      CREATE INDEX IF NOT EXISTS soft_bounces_by_age ON nestjs_emails.soft_bounces (given_up_at);
    `);
    await numberAtCommit(runner, 'suppressions');
    await runner.query(PUBLISHING);
    await makeEmailReferences(runner);
    await makeHookTokens(runner);
    await makeUnmatchedReports(runner);
    await makeReputations(runner);
    await makeBadHours(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    // CASCADE drops its triggers as well, which a table that still has rows keeps.
    await runner.query('DROP FUNCTION IF EXISTS nestjs_emails.publish_suppression() CASCADE');
    await dropEmptyTables(
      runner,
      'soft_bounces',
      'suppressions',
      'suppression_keys',
      'email_references',
      'hook_tokens',
      'unmatched_reports',
      'reputations',
      'suppression_candidates',
      'operator_counts',
      'operator_account_counts',
      'operator_mailboxes',
      'operator_holds',
    );
  }
}
