import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Makes } from '../../shared/migrations/makes.js';
import { makeSchema } from '../../shared/migrations/schema.js';
import { dropEmptyTables, makeTable } from '../../shared/migrations/tables.js';
import { numberAtCommit } from '../../shared/rows/number-at-commit.js';

/**
 * Processes of the version before do without these tables, and go on. The log of an endpoint has no foreign key to it: what
 * is deleted goes in steps.
 */
export class ExpandWebhooks1764500002000 implements MigrationInterface {
  static readonly makes: Makes = {
    tables: {
      webhooks: {
        columns:
          'id seq account_id created_at endpoint events status secrets failing_from failing_since dropped_to leased_until fence',
        indexes: 'webhooks_pkey webhooks_by_account',
        sequences: 'seq',
        triggers: 'number_at_commit',
      },
      webhook_events: {
        columns:
          'webhook_id seq account_id event_id type created_at recorded_at payload people status attempts due_at replays',
        indexes:
          'webhook_events_pkey webhook_events_by_id webhook_events_due webhook_events_replayed webhook_events_by_person',
        sequences: 'seq',
      },
      webhook_attempts: {
        columns: 'id webhook_id event_seq attempt_id http_status_code response sent_at',
        indexes: 'webhook_attempts_pkey',
        sequences: 'id',
      },
    },
    functions: 'number_at_commit',
  };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await makeTable(runner, 'webhooks', {
      id: 'uuid CONSTRAINT webhooks_pkey PRIMARY KEY',
      seq: 'bigserial NOT NULL',
      account_id: 'text NOT NULL',
      created_at: 'timestamptz NOT NULL DEFAULT now()',
      endpoint: 'text NOT NULL',
      events: 'text[] NOT NULL',
      status: 'text NOT NULL',
      secrets: 'jsonb NOT NULL',
      failing_from: 'timestamptz',
      failing_since: 'timestamptz',
      dropped_to: 'bigint NOT NULL DEFAULT 0',
      leased_until: 'timestamptz',
      fence: 'integer NOT NULL DEFAULT 0',
    });
    await makeTable(
      runner,
      'webhook_events',
      {
        webhook_id: 'uuid NOT NULL',
        seq: 'bigserial NOT NULL',
        account_id: 'text NOT NULL',
        event_id: 'text NOT NULL',
        type: 'text NOT NULL',
        created_at: 'timestamptz NOT NULL',
        recorded_at: 'timestamptz NOT NULL DEFAULT now()',
        payload: 'text NOT NULL',
        people: 'bigint[]',
        status: "text NOT NULL DEFAULT 'pending'",
        attempts: 'integer NOT NULL DEFAULT 0',
        due_at: 'timestamptz DEFAULT now()',
        replays: 'integer NOT NULL DEFAULT 0',
      },
      { constraints: ['CONSTRAINT webhook_events_pkey PRIMARY KEY (webhook_id, seq)'] },
    );
    await makeTable(
      runner,
      'webhook_attempts',
      {
        id: 'bigserial NOT NULL',
        webhook_id: 'uuid NOT NULL',
        event_seq: 'bigint NOT NULL',
        attempt_id: 'text NOT NULL',
        http_status_code: 'integer NOT NULL',
        response: 'text NOT NULL',
        sent_at: 'timestamptz NOT NULL',
      },
      { constraints: ['CONSTRAINT webhook_attempts_pkey PRIMARY KEY (webhook_id, event_seq, id)'] },
    );
    await runner.query(`
      CREATE UNIQUE INDEX IF NOT EXISTS webhooks_by_account ON nestjs_emails.webhooks (account_id, seq);
      CREATE UNIQUE INDEX IF NOT EXISTS webhook_events_by_id ON nestjs_emails.webhook_events (webhook_id, event_id);
      CREATE INDEX IF NOT EXISTS webhook_events_due ON nestjs_emails.webhook_events (webhook_id, due_at, seq)
        WHERE due_at IS NOT NULL;
      CREATE INDEX IF NOT EXISTS webhook_events_replayed ON nestjs_emails.webhook_events (webhook_id, seq)
        WHERE replays > 0;
      CREATE INDEX IF NOT EXISTS webhook_events_by_person ON nestjs_emails.webhook_events USING gin (people);
    `);
    await numberAtCommit(runner, 'webhooks');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropEmptyTables(runner, 'webhook_attempts', 'webhook_events', 'webhooks');
  }
}
