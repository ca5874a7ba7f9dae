import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Emails that join a transaction of the host's are numbered when it commits: until then they hold no lock that other
 * senders of the account would wait for. The lock is that of `email.sql.ts`.
 */
export class NumberAtCommit1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION nestjs_emails.number_email() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(${0x656d_6c73}, hashtext(NEW.account_id));
        UPDATE nestjs_emails.emails
        SET seq = nextval(pg_get_serial_sequence('nestjs_emails.emails', 'seq')) WHERE id = NEW.id;
        RETURN NULL;
      END $$;

      CREATE CONSTRAINT TRIGGER number_at_commit AFTER INSERT ON nestjs_emails.emails
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.seq < 0) EXECUTE FUNCTION nestjs_emails.number_email();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER number_at_commit ON nestjs_emails.emails;
      DROP FUNCTION nestjs_emails.number_email();
    `);
  }
}
