import type { QueryRunner } from 'typeorm';
import type { CreatedTable } from '../../../shared/migrations/makes.js';
import { makeTable } from '../../../shared/migrations/tables.js';

/** The parts of the table `hook_tokens`. */
export const HOOK_TOKENS: Readonly<Record<string, CreatedTable>> = {
  hook_tokens: {
    columns: 'token body is_used expires_at',
    indexes: 'hook_tokens_pkey hook_tokens_expired',
  },
};

/** Makes the table `hook_tokens`. */
export async function makeHookTokens(runner: QueryRunner): Promise<void> {
  await makeTable(runner, 'hook_tokens', {
    token: 'bytea CONSTRAINT hook_tokens_pkey PRIMARY KEY',
    body: 'bytea NOT NULL',
    is_used: 'boolean NOT NULL DEFAULT false',
    expires_at: 'timestamptz NOT NULL',
  });
  await runner.query('CREATE INDEX IF NOT EXISTS hook_tokens_expired ON nestjs_emails.hook_tokens (expires_at)');
}
