import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccounts1763700001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE accounts (
        id uuid CONSTRAINT accounts_pkey PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX accounts_by_name ON accounts (name);

      CREATE TABLE api_keys (
        id uuid CONSTRAINT api_keys_pkey PRIMARY KEY,
        seq bigserial NOT NULL,
        account_id uuid NOT NULL CONSTRAINT api_keys_account_fkey REFERENCES accounts ON DELETE CASCADE,
        name text NOT NULL,
        permission text NOT NULL,
        token_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        revoked_at timestamptz
      );
      CREATE UNIQUE INDEX api_keys_by_token ON api_keys (token_hash);
      CREATE UNIQUE INDEX api_keys_by_account ON api_keys (account_id, seq);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_keys; DROP TABLE accounts;');
  }
}
