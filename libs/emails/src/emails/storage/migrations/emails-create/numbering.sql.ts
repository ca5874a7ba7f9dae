/** First key of the lock of an account's list, as in `accept.sql.ts`. */
const LIST_ORDER = 0x656d_6c73;

/** Seed of account hashes, as in `email-terms.ts`. */
const SEED = 0x7465_726d;

/**
 * Limit of locks per transaction: a small part of PostgreSQL's lock table, which all transactions share. 100 by default
 * settings.
 */
const MAX_LOCKS = `current_setting('max_locks_per_transaction')::integer * current_setting('max_connections')::integer / 64`;

/**
 * Numbers emails that joined a host's transaction when it commits: until then they hold no lock that other senders of
 * the account would wait for. At the commit, the accounts of all its emails are locked in one order. Claims are locked
 * in a way that others can test without waiting.
 *
 * An email gets the time of its acceptance together with its number, so that both grow together within an account. Its
 * search terms, which wait in its row, are written then too.
 */
export const NUMBERING = `
  -- Waits for the lock and holds it until the transaction ends. A transaction that holds many takes no more. It waits for
  -- as long as other senders do, unless the caller has a lock_timeout.
  CREATE OR REPLACE FUNCTION nestjs_emails.hold_lock(lock bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    held integer := coalesce(nullif(current_setting('nestjs_emails.locks', true), ''), '0')::integer;
    patience text := current_setting('lock_timeout');
  BEGIN
    IF lock IS NULL OR held >= ${MAX_LOCKS} THEN RETURN; END IF;
    IF patience = '0' THEN PERFORM set_config('lock_timeout', '15s', true); END IF;
    PERFORM pg_advisory_xact_lock(lock);
    IF patience = '0' THEN PERFORM set_config('lock_timeout', patience, true); END IF;
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
    IF number IS NULL THEN RETURN NULL; END IF;
    UPDATE nestjs_emails.deliveries SET account = hashtextextended(NEW.account_id, ${SEED}), seq = number WHERE email_id = NEW.id;
    INSERT INTO nestjs_emails.email_terms (term, seq) SELECT term, number FROM unnest(NEW.pending_terms) AS term;
    RETURN NULL;
  END $$;

  DROP TRIGGER IF EXISTS number_at_commit ON nestjs_emails.emails;
  CREATE CONSTRAINT TRIGGER number_at_commit AFTER INSERT ON nestjs_emails.emails
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.seq < 0) EXECUTE FUNCTION nestjs_emails.number_email();
`;
