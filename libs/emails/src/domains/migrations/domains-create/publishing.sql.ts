/**
 * Records an event of a domain in the transaction of its change. The caller makes the content, because records depend on
 * the options of the feature. The core, whose outbox records the events, may be absent.
 */
export const PUBLISHING = `
  CREATE OR REPLACE FUNCTION nestjs_emails.publish_domain(account text, kind text, content jsonb) RETURNS void
    LANGUAGE plpgsql AS $$
  BEGIN
    IF to_regprocedure('nestjs_emails.publish(text, text, jsonb)') IS NOT NULL THEN
      PERFORM nestjs_emails.publish(account, kind, content);
    END IF;
  END $$;
`;
