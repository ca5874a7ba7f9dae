import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema } from '../../../shared/migrations/schema.js';

/** Of an email `e`, as it was written: whoever reads it makes A-labels of it. Anything can be stored in that column. */
const DOMAIN = `lower(left(rtrim(split_part(e.from_mailbox, '@', -1), E'> \\t'), 255))`;

/** Of an event `v`. All zones of today are whole quarters of an hour away from UTC. */
const SLOT = `date_bin('15 minutes', v.occurred_at, '2000-01-01 00:00:00+00')`;
const KIND = `CASE v.type WHEN 'bounced' THEN 'bounced_' || lower(coalesce(v.bounce->>'type', 'undetermined')) ELSE v.type END`;

/** What is counted of events, with the emails that they are of. */
const counted = (source: string) => `
  SELECT e.account_id, ${SLOT}, ${DOMAIN}, ${KIND}, count(*)
  FROM ${source} WHERE v.recipient IS NOT NULL GROUP BY 1, 2, 3, 4`;
/** A look-up by id in any plan: plans outlive the statistics that they were made from. */
const RECORDED = counted(`recorded v CROSS JOIN LATERAL (
    SELECT account_id, from_mailbox FROM nestjs_emails.emails WHERE id = v.email_id LIMIT 1) e`);
const ALL = counted('nestjs_emails.events v JOIN nestjs_emails.emails e ON e.id = v.email_id');

/**
 * Counts events of recipients in the transaction that records them, whoever does: old processes work on and are counted.
 * Nobody shares a row with another: `event_counts` is only added to, and folded into `event_totals` in the background. What
 * was recorded before is counted here, while nobody can record anything.
 */
export class ExpandCounts1764300003000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      events: { columns: 'attempt bounce', triggers: 'count_events' },
      event_counts: { columns: 'id account_id slot domain kind count', indexes: 'event_counts_pkey', sequences: 'id' },
      event_totals: { columns: 'account_id slot domain kind count', indexes: 'event_totals_pkey' },
    },
    functions: 'count_events',
  };

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE nestjs_emails.events ADD COLUMN IF NOT EXISTS attempt integer, ADD COLUMN IF NOT EXISTS bounce jsonb;

      CREATE TABLE IF NOT EXISTS nestjs_emails.event_counts (
        id bigserial CONSTRAINT event_counts_pkey PRIMARY KEY,
        account_id text NOT NULL,
        slot timestamptz NOT NULL,
        domain text NOT NULL,
        kind text NOT NULL,
        count bigint NOT NULL
      );

      CREATE OR REPLACE FUNCTION nestjs_emails.count_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- An accepting statement records nothing of a recipient: it shall not pay for the rest.
        IF NOT EXISTS (SELECT FROM recorded WHERE recipient IS NOT NULL) THEN RETURN NULL; END IF;
        INSERT INTO nestjs_emails.event_counts (account_id, slot, domain, kind, count) ${RECORDED};
        RETURN NULL;
      END $$;

      DROP TRIGGER IF EXISTS count_events ON nestjs_emails.events;
      CREATE TRIGGER count_events AFTER INSERT ON nestjs_emails.events
        REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.count_events();

      DO $do$ BEGIN
        IF to_regclass('nestjs_emails.event_totals') IS NOT NULL THEN RETURN; END IF;
        CREATE TABLE nestjs_emails.event_totals (
          account_id text NOT NULL,
          slot timestamptz NOT NULL,
          domain text NOT NULL,
          kind text NOT NULL,
          count bigint NOT NULL,
          CONSTRAINT event_totals_pkey PRIMARY KEY (account_id, slot, domain, kind)
        );
        DELETE FROM nestjs_emails.event_counts;
        INSERT INTO nestjs_emails.event_totals (account_id, slot, domain, kind, count)
        ${ALL};
      END $do$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER IF EXISTS count_events ON nestjs_emails.events;
      DROP FUNCTION IF EXISTS nestjs_emails.count_events();
      DROP TABLE IF EXISTS nestjs_emails.event_totals, nestjs_emails.event_counts;
      ALTER TABLE IF EXISTS nestjs_emails.events DROP COLUMN IF EXISTS attempt, DROP COLUMN IF EXISTS bounce;
    `);
    await dropUnusedSchema(runner);
  }
}
