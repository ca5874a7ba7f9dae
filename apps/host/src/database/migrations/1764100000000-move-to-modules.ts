import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CreateAccounts1763700001000 } from './1763700001000-create-accounts.js';
import { CreateAudience1763700002000 } from './1763700002000-create-audience.js';
import { CreateRateLimits1763700003000 } from './1763700003000-create-rate-limits.js';
import { ExpandNumberAtCommit1763900001000 } from './1763900001000-number-at-commit.js';

/** What made the tables that move. */
const BEFORE = [
  CreateAccounts1763700001000,
  CreateAudience1763700002000,
  CreateRateLimits1763700003000,
  ExpandNumberAtCommit1763900001000,
];

/** The tables of what is now in modules of the package, in the order in which they refer to each other. */
const TABLES = ['accounts', 'api_keys', 'topics', 'contacts', 'topic_choices', 'templates', 'rate_limits'];

/** Those whose rows belong to an account. */
const OWNED = ['api_keys', 'topics', 'contacts', 'templates'];

/**
 * Gives the tables to the modules of the package that they belong to now: into their schema, without a foreign key to the
 * accounts, which may be kept elsewhere. The modules' own migrations find them there. Nothing of the version before works
 * on meanwhile: the processes stop for this one.
 */
export class MoveToModules1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of OWNED) {
      await runner.query(`
        DROP TRIGGER number_at_commit ON ${table};
        ALTER TABLE ${table} DROP CONSTRAINT ${table}_account_fkey, ALTER COLUMN account_id TYPE text;
      `);
    }
    await runner.query('DROP FUNCTION number_at_commit()');
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} SET SCHEMA nestjs_emails`);
  }

  /** The tables went with the modules whose they are, which are taken back first. */
  async down(runner: QueryRunner): Promise<void> {
    for (const Migration of BEFORE) await new Migration().up(runner);
  }
}
