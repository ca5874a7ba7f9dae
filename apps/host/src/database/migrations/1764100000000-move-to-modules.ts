import { accessMigrations } from 'nestjs-emails/access';
import { audienceMigrations } from 'nestjs-emails/audience';
import { templatesMigrations } from 'nestjs-emails/templates';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ExpandNumberAtCommit1763900001000 } from './1763900001000-number-at-commit.js';
import { refuseWhatIsInTheWay, sayInTheWay } from './in-the-way.js';

/** The tables of what is now in modules of the package, in the order in which they refer to each other. */
const TABLES = ['accounts', 'api_keys', 'topics', 'contacts', 'topic_choices', 'templates', 'rate_limits'];

/** Those whose rows belong to an account. */
const OWNED = ['api_keys', 'topics', 'contacts', 'templates'];

/** What makes these tables where there are none: the first migration of each module. */
const CREATE = [accessMigrations, audienceMigrations, templatesMigrations].flatMap((all) => all.slice(0, 1));

/**
 * Gives the tables to the modules of the package that they belong to now: into their schema, without a foreign key to the
 * accounts, which may be kept elsewhere. The modules' own migrations find them there. Nothing of the version before works
 * on meanwhile: the processes stop for this one.
 */
export class MoveToModules1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // All of them before anything is done: rewriting large tables only to meet one that is locked would be in vain.
    await runner.query(`LOCK TABLE ${TABLES.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    await refuseWhatIsInTheWay(runner, OWNED);
    for (const table of OWNED) {
      await sayInTheWay(
        table,
        runner.query(`
          DROP TRIGGER IF EXISTS number_at_commit ON ${table};
          ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_account_fkey, ALTER COLUMN account_id TYPE text;
        `),
      );
    }
    await runner.query('DROP FUNCTION IF EXISTS number_at_commit()');
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} SET SCHEMA nestjs_emails`);
    // What was known of the column that has another type now is lost.
    await runner.query(`ANALYZE ${OWNED.map((table) => `nestjs_emails.${table}`).join(', ')}`);
  }

  /** The modules' migrations were taken back before, and left the tables that have rows: the others are made anew. */
  async down(runner: QueryRunner): Promise<void> {
    for (const Create of CREATE) await new Create().up(runner);
    for (const table of OWNED) await runner.query(`DROP TRIGGER number_at_commit ON nestjs_emails.${table}`);
    await runner.query('DROP FUNCTION nestjs_emails.number_at_commit()');
    const [before]: { schema: string }[] = await runner.query('SELECT quote_ident(current_schema()) AS schema');
    for (const table of TABLES) await runner.query(`ALTER TABLE nestjs_emails.${table} SET SCHEMA ${before?.schema}`);
    for (const table of OWNED) {
      await runner.query(`
        ALTER TABLE ${table} ALTER COLUMN account_id TYPE uuid USING account_id::uuid,
          ADD CONSTRAINT ${table}_account_fkey FOREIGN KEY (account_id) REFERENCES accounts ON DELETE CASCADE
      `);
    }
    await new ExpandNumberAtCommit1763900001000().up(runner);
  }
}
