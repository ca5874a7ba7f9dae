import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { CreatedObjects } from '../../shared/migrations/makes.js';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables, makeTable } from '../../shared/migrations/tables.js';
import { numberAtCommit } from '../../shared/rows/number-at-commit.js';

export class AccessCreate1764800002000 implements MigrationInterface {
  static readonly makes: CreatedObjects = {
    tables: {
      accounts: { columns: 'id name created_at', indexes: 'accounts_pkey accounts_by_name' },
      api_keys: {
        columns:
          'id seq account_id name permission page_role domain_id token_hash token_start created_at last_used_at revoked_at',
        indexes: 'api_keys_pkey api_keys_by_token api_keys_by_account',
        sequences: 'seq',
        triggers: 'number_at_commit',
      },
      ended_sessions: { columns: 'id ends_at', indexes: 'ended_sessions_pkey ended_sessions_over' },
      rate_limits: { columns: 'key points expire', indexes: 'rate_limits_pkey' },
    },
    functions: 'number_at_commit',
  };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await makeTable(runner, 'accounts', {
      id: 'uuid CONSTRAINT accounts_pkey PRIMARY KEY',
      name: 'text NOT NULL',
      created_at: 'timestamptz NOT NULL DEFAULT now()',
    });
    await makeTable(runner, 'api_keys', {
      id: 'uuid CONSTRAINT api_keys_pkey PRIMARY KEY',
      seq: 'bigserial NOT NULL',
      account_id: 'text NOT NULL',
      name: 'text NOT NULL',
      permission: 'text NOT NULL',
      page_role: 'text',
      domain_id: 'uuid',
      token_hash: 'bytea NOT NULL',
      token_start: "text NOT NULL DEFAULT ''",
      created_at: 'timestamptz NOT NULL DEFAULT now()',
      last_used_at: 'timestamptz',
      revoked_at: 'timestamptz',
    });
    await makeTable(runner, 'ended_sessions', {
      id: 'text NOT NULL CONSTRAINT ended_sessions_pkey PRIMARY KEY',
      ends_at: 'timestamptz NOT NULL',
    });
    // Request counters matter for one second only, so the table can do without the write-ahead log.
    await makeTable(
      runner,
      'rate_limits',
      { key: 'varchar(255) PRIMARY KEY', points: 'integer NOT NULL DEFAULT 0', expire: 'bigint' },
      { unlogged: true },
    );
    await runner.query(`
      CREATE UNIQUE INDEX IF NOT EXISTS accounts_by_name ON nestjs_emails.accounts (name);
      CREATE UNIQUE INDEX IF NOT EXISTS api_keys_by_token ON nestjs_emails.api_keys (token_hash);
      CREATE UNIQUE INDEX IF NOT EXISTS api_keys_by_account ON nestjs_emails.api_keys (account_id, seq);
      CREATE INDEX IF NOT EXISTS ended_sessions_over ON nestjs_emails.ended_sessions (ends_at);
    `);
    await numberAtCommit(runner, 'api_keys');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropEmptyTables(runner, 'rate_limits', 'ended_sessions', 'api_keys', 'accounts');
  }
}
