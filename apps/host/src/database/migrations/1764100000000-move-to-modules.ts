import type { MigrationInterface, QueryRunner } from 'typeorm';

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

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE nestjs_emails.${table} SET SCHEMA public`);
    for (const table of OWNED) {
      await runner.query(`
        ALTER TABLE ${table} ALTER COLUMN account_id TYPE uuid USING account_id::uuid,
          ADD CONSTRAINT ${table}_account_fkey FOREIGN KEY (account_id) REFERENCES accounts ON DELETE CASCADE;
      `);
    }
  }
}
