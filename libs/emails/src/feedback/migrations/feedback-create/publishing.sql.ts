import { ERASED_ADDRESS } from '../../../shared/mailbox/erased-address.js';

/**
 * Records `suppression.added` and `suppression.removed` in the transaction of the change. An entry whose origin changes is
 * added again. The core, whose outbox records the events, may be absent.
 */
export const PUBLISHING = `
  CREATE OR REPLACE FUNCTION nestjs_emails.publish_suppression() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    entry nestjs_emails.suppressions := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  BEGIN
    IF to_regprocedure('nestjs_emails.publish(text, text, jsonb)') IS NOT NULL THEN
      PERFORM nestjs_emails.publish(entry.account_id,
        CASE TG_OP WHEN 'DELETE' THEN 'suppression.removed' ELSE 'suppression.added' END,
        jsonb_build_object('id', entry.id, 'email', coalesce(entry.email, '${ERASED_ADDRESS}'), 'origin', entry.origin,
          'source_id', entry.source_id,
          'created_at', to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
    END IF;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE TRIGGER publish_suppression AFTER INSERT OR DELETE ON nestjs_emails.suppressions
    FOR EACH ROW EXECUTE FUNCTION nestjs_emails.publish_suppression();
  CREATE OR REPLACE TRIGGER publish_suppression_change AFTER UPDATE OF origin ON nestjs_emails.suppressions FOR EACH ROW
    WHEN (OLD.origin IS DISTINCT FROM NEW.origin) EXECUTE FUNCTION nestjs_emails.publish_suppression();
`;
