import { ERASED_ADDRESS } from '../../../shared/mailbox/erased-address.js';

/** A time in the form of events. */
const time = (value: string) => `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The core, whose outbox records the events, may be absent. */
const MAY_PUBLISH = `to_regprocedure('nestjs_emails.publish(text, text, jsonb)') IS NOT NULL`;

/** When the row `now` was last changed. */
const UPDATED = `CASE TG_OP WHEN 'INSERT' THEN now.created_at ELSE clock_timestamp() END`;

/** Expression for a contact's event. For an erased person (see `ContactEraser`) it has the fixed mark and no name. */
const IS_ERASED = `TG_OP = 'DELETE' AND coalesce(current_setting('nestjs_emails.erasing', true), '') = 'on'`;

/** Verb of the event. */
const happened = (object: string) =>
  `CASE TG_OP WHEN 'INSERT' THEN '${object}.created' WHEN 'UPDATE' THEN '${object}.updated' ELSE '${object}.deleted' END`;

/**
 * Creates a trigger function for the table. It runs for each row that is inserted, changed in one of these columns, or
 * deleted.
 */
const publishing = (table: string, object: string, columns: readonly string[], data: string) => `
  CREATE OR REPLACE FUNCTION nestjs_emails.publish_${object}() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    now nestjs_emails.${table} := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  BEGIN
    IF ${MAY_PUBLISH} THEN
      PERFORM nestjs_emails.publish(now.account_id, ${happened(object)}, ${data});
    END IF;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE TRIGGER publish_${object} AFTER INSERT OR DELETE ON nestjs_emails.${table}
    FOR EACH ROW EXECUTE FUNCTION nestjs_emails.publish_${object}();
  CREATE OR REPLACE TRIGGER publish_${object}_change AFTER UPDATE OF ${columns.join(', ')} ON nestjs_emails.${table} FOR EACH ROW
    WHEN ((${columns.map((name) => `OLD.${name}`).join(', ')}) IS DISTINCT FROM (${columns.map((name) => `NEW.${name}`).join(', ')}))
    EXECUTE FUNCTION nestjs_emails.publish_${object}();`;

/** @param changed the rows of a statement whose choice changed */
const publishChoices = (changed: string) => `
    PERFORM nestjs_emails.publish(c.account_id, 'contact.topics.updated', jsonb_build_object('email', c.email,
      'topics', chosen.topics))
    FROM (
      SELECT contact_id, jsonb_agg(jsonb_build_object('id', topic_id, 'subscription', subscription) ORDER BY topic_id) AS topics
      FROM (${changed}) AS changed GROUP BY contact_id
    ) AS chosen JOIN nestjs_emails.contacts c ON c.id = chosen.contact_id;`;

/**
 * Records events of contacts, their choices and topics in the transaction that changes them. Contacts and topics store
 * no time of their last change: the event's time is that.
 */
export const PUBLISHING = `
  ${publishing(
    'contacts',
    'contact',
    ['email', 'first_name', 'last_name', 'unsubscribed'],
    `jsonb_build_object('id', now.id, 'audience_id', now.account_id, 'segment_ids', '[]'::jsonb,
      'created_at', ${time('now.created_at')}, 'updated_at', ${time(UPDATED)},
      'email', CASE WHEN ${IS_ERASED} THEN '${ERASED_ADDRESS}' ELSE now.email END,
      'first_name', CASE WHEN NOT (${IS_ERASED}) THEN now.first_name END,
      'last_name', CASE WHEN NOT (${IS_ERASED}) THEN now.last_name END, 'unsubscribed', now.unsubscribed)`,
  )}
  ${publishing(
    'topics',
    'topic',
    ['name', 'description', 'default_subscription'],
    `jsonb_build_object('id', now.id, 'name', now.name, 'description', now.description,
      'default_subscription', now.default_subscription, 'deleted', TG_OP = 'DELETE',
      'created_at', ${time('now.created_at')}, 'updated_at', ${time(UPDATED)})`,
  )}

  CREATE OR REPLACE FUNCTION nestjs_emails.publish_new_choices() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT ${MAY_PUBLISH} THEN RETURN NULL; END IF;
    ${publishChoices('SELECT * FROM made')}
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER publish_new_choices AFTER INSERT ON nestjs_emails.topic_choices
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.publish_new_choices();

  CREATE OR REPLACE FUNCTION nestjs_emails.publish_changed_choices() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT ${MAY_PUBLISH} THEN RETURN NULL; END IF;
    ${publishChoices(`SELECT m.* FROM made m JOIN before b USING (contact_id, topic_id)
      WHERE m.subscription <> b.subscription`)}
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER publish_changed_choices AFTER UPDATE ON nestjs_emails.topic_choices
    REFERENCING NEW TABLE AS made OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.publish_changed_choices();
`;
