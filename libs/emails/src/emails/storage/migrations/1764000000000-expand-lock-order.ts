import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema } from '../../../shared/migrations/schema.js';

/** First key of the lock of an account's list, as in `accept.sql.ts`. */
const LIST_ORDER = 0x656d_6c73;

/** A small part of what PostgreSQL has room for, in a table that all transactions share: 100 with the settings it comes with. */
const MOST_LOCKS = `current_setting('max_locks_per_transaction')::integer * current_setting('max_connections')::integer / 64`;

/**
 * All emails of a transaction have their accounts locked in one order at its commit, and what it claims is locked in a
 * way that others can ask about without waiting. Old processes work on: their emails are not announced by
 * `join_transaction`, and their accounts are locked one after the other, as before.
 */
export class ExpandLockOrder1764000000000 implements MigrationInterface {
  static readonly makes: Makes = { functions: 'hold_lock join_transaction' };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Waits for the lock and holds it until the transaction ends. A transaction that holds many takes no more.
      CREATE OR REPLACE FUNCTION nestjs_emails.hold_lock(lock bigint) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE held integer := coalesce(nullif(current_setting('nestjs_emails.locks', true), ''), '0')::integer;
      BEGIN
        IF lock IS NULL OR held >= ${MOST_LOCKS} THEN RETURN; END IF;
        PERFORM pg_advisory_xact_lock(lock);
        PERFORM set_config('nestjs_emails.locks', (held + 1)::text, true);
      END $$;

      -- Announces an account to number_email(), and holds the lock of a key.
      CREATE OR REPLACE FUNCTION nestjs_emails.join_transaction(account text, key_lock bigint) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE accounts text := coalesce(nullif(current_setting('nestjs_emails.accounts', true), ''), ',');
      BEGIN
        PERFORM nestjs_emails.hold_lock(key_lock);
        IF position(',' || hashtext(account) || ',' IN accounts) = 0 THEN
          PERFORM set_config('nestjs_emails.accounts', accounts || hashtext(account) || ',', true);
        END IF;
      END $$;

      -- The first email that is numbered locks the accounts of all.
      CREATE OR REPLACE FUNCTION nestjs_emails.number_email() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE accounts text := coalesce(current_setting('nestjs_emails.accounts', true), '');
      BEGIN
        PERFORM pg_advisory_xact_lock(${LIST_ORDER}, account) FROM (
          SELECT hash::integer AS account FROM unnest(string_to_array(trim(accounts, ','), ',')) AS hash
          UNION SELECT hashtext(NEW.account_id) ORDER BY 1
        ) AS sorted;
        IF accounts <> '' THEN PERFORM set_config('nestjs_emails.accounts', '', true); END IF;
        UPDATE nestjs_emails.emails
        SET seq = nextval(pg_get_serial_sequence('nestjs_emails.emails', 'seq')) WHERE id = NEW.id;
        RETURN NULL;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $do$ BEGIN
        IF to_regprocedure('nestjs_emails.number_email()') IS NOT NULL THEN
          CREATE OR REPLACE FUNCTION nestjs_emails.number_email() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            PERFORM pg_advisory_xact_lock(${LIST_ORDER}, hashtext(NEW.account_id));
            UPDATE nestjs_emails.emails
            SET seq = nextval(pg_get_serial_sequence('nestjs_emails.emails', 'seq')) WHERE id = NEW.id;
            RETURN NULL;
          END $$;
        END IF;
      END $do$;
      DROP FUNCTION IF EXISTS nestjs_emails.join_transaction(text, bigint);
      DROP FUNCTION IF EXISTS nestjs_emails.hold_lock(bigint);
    `);
    await dropUnusedSchema(runner);
  }
}
