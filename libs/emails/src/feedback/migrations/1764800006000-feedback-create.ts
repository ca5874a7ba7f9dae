import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { CreatedObjects } from '../../shared/migrations/makes.js';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables } from '../../shared/migrations/tables.js';
import { HOOK_TOKENS, makeHookTokens } from './feedback-create/hook-tokens.js';
import { EMAIL_REFERENCES, makeEmailReferences } from './feedback-create/references.js';

export class FeedbackCreate1764800006000 implements MigrationInterface {
  static readonly makes: CreatedObjects = { tables: { ...EMAIL_REFERENCES, ...HOOK_TOKENS } };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await makeEmailReferences(runner);
    await makeHookTokens(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropEmptyTables(runner, 'email_references', 'hook_tokens');
  }
}
