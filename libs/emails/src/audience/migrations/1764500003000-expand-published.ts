import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import type { Makes } from '../../shared/migrations/makes.js';

/** A time as events have it. */
const time = (value: string) => `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The core, whose outbox tells of it, need not be there. */
const MAY_PUBLISH = `to_regprocedure('nestjs_emails.publish(text, text, jsonb)') IS NOT NULL`;

/** When a row `now` came to be as it is. */
const UPDATED = `CASE TG_OP WHEN 'INSERT' THEN now.created_at ELSE clock_timestamp() END`;

/** What is told of a contact that goes because the person is erased, see `ContactEraser`, has the fixed mark and no name. */
const IS_ERASED = `TG_OP = 'DELETE' AND coalesce(current_setting('nestjs_emails.erasing', true), '') = 'on'`;

/** What happened to the row. */
const happened = (object: string) =>
  `CASE TG_OP WHEN 'INSERT' THEN '${object}.created' WHEN 'UPDATE' THEN '${object}.updated' ELSE '${object}.deleted' END`;

/** A function for each table, called for each row that is made, changed in one of these columns, or deleted. */
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

  DROP TRIGGER IF EXISTS publish_${object} ON nestjs_emails.${table};
  CREATE TRIGGER publish_${object} AFTER INSERT OR DELETE ON nestjs_emails.${table}
    FOR EACH ROW EXECUTE FUNCTION nestjs_emails.publish_${object}();
  DROP TRIGGER IF EXISTS publish_${object}_change ON nestjs_emails.${table};
  CREATE TRIGGER publish_${object}_change AFTER UPDATE OF ${columns.join(', ')} ON nestjs_emails.${table} FOR EACH ROW
    WHEN ((${columns.map((name) => `OLD.${name}`).join(', ')}) IS DISTINCT FROM (${columns.map((name) => `NEW.${name}`).join(', ')}))
    EXECUTE FUNCTION nestjs_emails.publish_${object}();`;

/** @param changed the rows of a statement in which a choice is another one than before */
const publishChoices = (changed: string) => `
    PERFORM nestjs_emails.publish(c.account_id, 'contact.topics.updated', jsonb_build_object('email', c.email,
      'topics', chosen.topics))
    FROM (
      SELECT contact_id, jsonb_agg(jsonb_build_object('id', topic_id, 'subscription', subscription) ORDER BY topic_id) AS topics
      FROM (${changed}) AS changed GROUP BY contact_id
    ) AS chosen JOIN nestjs_emails.contacts c ON c.id = chosen.contact_id;`;

/**
 * Tells of contacts, their choices and topics what is done to them, in the transaction that does it, whoever does. Of a
 * contact and a topic it is not kept when they were changed last: that is when it happened.
 */
export class ExpandPublished1764500003000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      contacts: { triggers: 'publish_contact publish_contact_change' },
      topics: { triggers: 'publish_topic publish_topic_change' },
      topic_choices: { triggers: 'publish_new_choices publish_changed_choices' },
    },
    functions: 'publish_contact publish_topic publish_new_choices publish_changed_choices',
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
      DROP TRIGGER IF EXISTS publish_new_choices ON nestjs_emails.topic_choices;
      CREATE TRIGGER publish_new_choices AFTER INSERT ON nestjs_emails.topic_choices
        REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.publish_new_choices();

      CREATE OR REPLACE FUNCTION nestjs_emails.publish_changed_choices() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT ${MAY_PUBLISH} THEN RETURN NULL; END IF;
        ${publishChoices(`SELECT m.* FROM made m JOIN before b USING (contact_id, topic_id)
          WHERE m.subscription <> b.subscription`)}
        RETURN NULL;
      END $$;
      DROP TRIGGER IF EXISTS publish_changed_choices ON nestjs_emails.topic_choices;
      CREATE TRIGGER publish_changed_choices AFTER UPDATE ON nestjs_emails.topic_choices
        REFERENCING NEW TABLE AS made OLD TABLE AS before
        FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.publish_changed_choices();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER IF EXISTS publish_contact ON nestjs_emails.contacts;
      DROP TRIGGER IF EXISTS publish_contact_change ON nestjs_emails.contacts;
      DROP TRIGGER IF EXISTS publish_topic ON nestjs_emails.topics;
      DROP TRIGGER IF EXISTS publish_topic_change ON nestjs_emails.topics;
      DROP TRIGGER IF EXISTS publish_new_choices ON nestjs_emails.topic_choices;
      DROP TRIGGER IF EXISTS publish_changed_choices ON nestjs_emails.topic_choices;
      DROP FUNCTION IF EXISTS nestjs_emails.publish_contact(), nestjs_emails.publish_topic(),
        nestjs_emails.publish_new_choices(), nestjs_emails.publish_changed_choices();
    `);
  }
}
