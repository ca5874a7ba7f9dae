import type { MigrationInterface, QueryRunner } from 'typeorm';
import { numberAtCommit } from '../../shared/rows/number-at-commit.js';

/** What a host of an earlier version had in its own tables is there already, and stays as it is. */
export class AccessCreate1764100001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SCHEMA IF NOT EXISTS nestjs_emails;

      CREATE TABLE IF NOT EXISTS nestjs_emails.accounts (
        id uuid CONSTRAINT accounts_pkey PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX IF NOT EXISTS accounts_by_name ON nestjs_emails.accounts (name);

      CREATE TABLE IF NOT EXISTS nestjs_emails.api_keys (
        id uuid CONSTRAINT api_keys_pkey PRIMARY KEY,
        seq bigserial NOT NULL,
        account_id text NOT NULL,
        name text NOT NULL,
        permission text NOT NULL,
        token_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        revoked_at timestamptz
      );
      CREATE UNIQUE INDEX IF NOT EXISTS api_keys_by_token ON nestjs_emails.api_keys (token_hash);
      CREATE UNIQUE INDEX IF NOT EXISTS api_keys_by_account ON nestjs_emails.api_keys (account_id, seq);

      -- What requests are counted in. Unlogged: what it holds is worth a second.
      CREATE UNLOGGED TABLE IF NOT EXISTS nestjs_emails.rate_limits (
        key varchar(255) PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      );
    `);
    await numberAtCommit(runner, 'api_keys');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE nestjs_emails.rate_limits, nestjs_emails.api_keys, nestjs_emails.accounts;
    `);
  }
}
