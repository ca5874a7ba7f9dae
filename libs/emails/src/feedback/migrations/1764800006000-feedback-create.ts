import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { CreatedObjects } from '../../shared/migrations/makes.js';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables } from '../../shared/migrations/tables.js';
import { EMAIL_REFERENCES, makeEmailReferences } from './feedback-create/references.js';

export class FeedbackCreate1764800006000 implements MigrationInterface {
  static readonly makes: CreatedObjects = { tables: { ...EMAIL_REFERENCES } };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await makeEmailReferences(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropEmptyTables(runner, 'email_references');
  }
}
