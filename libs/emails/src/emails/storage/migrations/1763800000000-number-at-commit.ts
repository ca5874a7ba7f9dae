import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema } from '../../../shared/migrations/schema.js';

/**
 * Emails that join a transaction of the host's are numbered when it commits: until then they hold no lock that other
 * senders of the account would wait for. The lock is that of `accept.sql.ts`.
 *
 * A function outlives tables that a host drops. One that is there stays: it may be a later one.
 */
export class NumberAtCommit1763800000000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: { emails: { triggers: 'number_at_commit' } },
    functions: 'number_email',
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $do$ BEGIN
        IF to_regprocedure('nestjs_emails.number_email()') IS NULL THEN
          CREATE FUNCTION nestjs_emails.number_email() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            PERFORM pg_advisory_xact_lock(${0x656d_6c73}, hashtext(NEW.account_id));
            UPDATE nestjs_emails.emails
            SET seq = nextval(pg_get_serial_sequence('nestjs_emails.emails', 'seq')) WHERE id = NEW.id;
            RETURN NULL;
          END $$;
        END IF;
      END $do$;

      DROP TRIGGER IF EXISTS number_at_commit ON nestjs_emails.emails;
      CREATE CONSTRAINT TRIGGER number_at_commit AFTER INSERT ON nestjs_emails.emails
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.seq < 0) EXECUTE FUNCTION nestjs_emails.number_email();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER IF EXISTS number_at_commit ON nestjs_emails.emails;
      DROP FUNCTION IF EXISTS nestjs_emails.number_email();
    `);
    await dropUnusedSchema(runner);
  }
}
