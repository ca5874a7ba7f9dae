import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema } from '../../../shared/migrations/schema.js';
import { ExpandLockOrder1764000000000 } from './1764000000000-expand-lock-order.js';

/** First key of the lock of an account's list, as in `accept.sql.ts`. */
const LIST_ORDER = 0x656d_6c73;

/** Of the hashes of accounts, as in `email-terms.ts`. */
const SEED = 0x7465_726d;

/**
 * What emails are found by. Old processes work on: what they write has no terms and no number in `deliveries`, as what
 * was written before has none, until a worker of this version gives it both.
 *
 * An email that joins a transaction of the host's gets the time of its acceptance with its number, so that within an
 * account both grow together; and its terms, which wait in its row.
 */
export class ExpandFilters1764300001000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      email_terms: { columns: 'term seq', indexes: 'email_terms_pkey' },
      emails: { columns: 'pending_terms' },
      deliveries: { columns: 'account seq', indexes: 'deliveries_by_state deliveries_unindexed' },
    },
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- At once what this one and those of the same version need, and before the indexes: who waits for us meanwhile may
      -- hold what we come for last.
      LOCK TABLE nestjs_emails.emails, nestjs_emails.deliveries, nestjs_emails.events IN ACCESS EXCLUSIVE MODE;
      CREATE TABLE IF NOT EXISTS nestjs_emails.email_terms (
        term bigint NOT NULL,
        seq bigint NOT NULL,
        CONSTRAINT email_terms_pkey PRIMARY KEY (term, seq)
      );
      ALTER TABLE nestjs_emails.emails ADD COLUMN IF NOT EXISTS pending_terms bigint[];
      ALTER TABLE nestjs_emails.deliveries
        ADD COLUMN IF NOT EXISTS account bigint, ADD COLUMN IF NOT EXISTS seq bigint;
      -- Without those that are queued, or every email would be written to it twice.
      CREATE INDEX IF NOT EXISTS deliveries_by_state ON nestjs_emails.deliveries (account, last_event, seq)
        WHERE last_event <> 'queued' AND seq IS NOT NULL;
      CREATE INDEX IF NOT EXISTS deliveries_unindexed ON nestjs_emails.deliveries (email_id) WHERE seq IS NULL;

      CREATE OR REPLACE FUNCTION nestjs_emails.number_email() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        accounts text := coalesce(current_setting('nestjs_emails.accounts', true), '');
        number bigint;
      BEGIN
        PERFORM pg_advisory_xact_lock(${LIST_ORDER}, account) FROM (
          SELECT hash::integer AS account FROM unnest(string_to_array(trim(accounts, ','), ',')) AS hash
          UNION SELECT hashtext(NEW.account_id) ORDER BY 1
        ) AS sorted;
        IF accounts <> '' THEN PERFORM set_config('nestjs_emails.accounts', '', true); END IF;
        UPDATE nestjs_emails.emails
        SET seq = nextval(pg_get_serial_sequence('nestjs_emails.emails', 'seq')), created_at = clock_timestamp(),
          pending_terms = NULL
        WHERE id = NEW.id RETURNING seq INTO number;
        IF number IS NULL OR NEW.pending_terms IS NULL THEN RETURN NULL; END IF;
        UPDATE nestjs_emails.deliveries SET account = hashtextextended(NEW.account_id, ${SEED}), seq = number WHERE email_id = NEW.id;
        INSERT INTO nestjs_emails.email_terms (term, seq) SELECT term, number FROM unnest(NEW.pending_terms) AS term;
        RETURN NULL;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    // What is numbered from now on is numbered as before.
    await new ExpandLockOrder1764000000000().up(runner);
    await runner.query(`
      DROP TABLE IF EXISTS nestjs_emails.email_terms;
      DROP INDEX IF EXISTS nestjs_emails.deliveries_by_state, nestjs_emails.deliveries_unindexed;
      ALTER TABLE IF EXISTS nestjs_emails.deliveries DROP COLUMN IF EXISTS account, DROP COLUMN IF EXISTS seq;
      ALTER TABLE IF EXISTS nestjs_emails.emails DROP COLUMN IF EXISTS pending_terms;
    `);
    await dropUnusedSchema(runner);
  }
}
