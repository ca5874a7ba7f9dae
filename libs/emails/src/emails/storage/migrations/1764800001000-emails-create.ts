import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { CreatedObjects } from '../../../shared/migrations/makes.js';
import { dropUnusedSchema, makeSchema } from '../../../shared/migrations/schema.js';
import { numberAtCommit } from '../../../shared/rows/number-at-commit.js';
import { COUNTING } from './emails-create/counting.sql.js';
import { DELIVERED } from './emails-create/delivered.sql.js';
import { ERASED_CONTENTS } from './emails-create/erased-contents.sql.js';
import { NUMBERING } from './emails-create/numbering.sql.js';
import { PUBLISHING } from './emails-create/publishing.sql.js';
import { QUOTAS } from './emails-create/quotas.sql.js';
import { SENSITIVE } from './emails-create/sensitive.sql.js';
import { SENT_SINCE } from './emails-create/sent-since.sql.js';
import { TABLES } from './emails-create/tables.sql.js';

/** Keeps existing objects: a host may have dropped some of its tables and not others. */
export class EmailsCreate1764800001000 implements MigrationInterface {
  static readonly makes: CreatedObjects = {
    tables: {
      emails: {
        columns:
          'id seq account_id message_id from_mailbox to_mailboxes cc_mailboxes bcc_mailboxes reply_to_mailboxes subject html ' +
          'text headers tags topic_id template_id scheduled_at created_at pending_terms resent_from accepted_empty ' +
          'api_key_id domain_id sensitive',
        indexes: 'emails_pkey emails_by_account emails_by_message_id',
        sequences: 'seq',
        triggers: 'number_at_commit',
      },
      email_terms: { columns: 'term seq', indexes: 'email_terms_pkey' },
      deliveries: {
        columns: 'email_id last_event due_at fence attempts recipients account seq waits_for waits_from sensitive bulk',
        indexes: 'deliveries_pkey deliveries_due deliveries_by_state deliveries_waiting',
        foreignKeys: 'deliveries_email_fkey',
        triggers: 'clear_sensitive',
      },
      pauses: { columns: 'scope subject transport since reason', indexes: 'pauses_pkey' },
      attempts: {
        columns: 'email_id fence message started_at finished_at unknown outcomes transport',
        indexes: 'attempts_pkey',
        foreignKeys: 'attempts_email_fkey',
      },
      events: {
        columns: 'id email_id type recipient reason occurred_at attempt bounce reason_code source transport',
        indexes: 'events_pkey events_by_email',
        foreignKeys: 'events_email_fkey',
        sequences: 'id',
        triggers: 'count_events publish_events',
      },
      event_counts: { columns: 'id account_id slot domain kind count', indexes: 'event_counts_pkey', sequences: 'id' },
      event_totals: { columns: 'account_id slot domain kind count', indexes: 'event_totals_pkey' },
      idempotency_keys: {
        columns: 'account_id key request_hash email_id expires_at',
        indexes: 'idempotency_keys_pkey idempotency_keys_expiry',
      },
      idempotent_answers: {
        columns: 'account_id endpoint key request_hash answer expires_at',
        indexes: 'idempotent_answers_pkey idempotent_answers_expiry',
      },
      attachments: {
        columns: 'email_id position filename content_type content_id content_hash size',
        indexes: 'attachments_pkey attachments_by_content',
        foreignKeys: 'attachments_email_fkey',
      },
      attachment_contents: { columns: 'hash slice content touched_at', indexes: 'attachment_contents_pkey' },
      erased_contents: { columns: 'hash erased_at', indexes: 'erased_contents_pkey' },
      erasures: {
        columns: 'id account_id created_at address before_seq place left_over searched due_at fence',
        indexes: 'erasures_pkey erasures_due',
      },
      erasure_remainders: {
        columns: 'erasure_id seq email_id content sender message_id',
        indexes: 'erasure_remainders_pkey erasure_remainders_by_email',
        foreignKeys: 'erasure_remainders_erasure_fkey erasure_remainders_email_fkey',
      },
      erasure_contents: {
        columns: 'erasure_id hash',
        indexes: 'erasure_contents_pkey',
        foreignKeys: 'erasure_contents_erasure_fkey',
      },
      email_actions: {
        columns:
          'id account_id action created_at api_key_id domain_id emails matched place done refused postponed due_at fence',
        indexes: 'email_actions_pkey email_actions_due email_actions_by_age',
      },
      event_subscriptions: {
        columns: 'id subscriber key account_id types',
        indexes: 'event_subscriptions_pkey event_subscriptions_by_key event_subscriptions_by_account',
        sequences: 'id',
      },
      event_outbox: {
        columns:
          'id subscription_id subscriber account_id event_id email_id type data occurred_at put_off_until failures xid ' +
          'newest_subscription',
        indexes:
          'event_outbox_pkey event_outbox_ready event_outbox_turns event_outbox_put_off event_outbox_behind ' +
          'event_outbox_records event_outbox_recent event_outbox_undecided',
        sequences: 'id',
      },
      actions: {
        columns: 'id seq account_id created_at action source key_id session_id ids count',
        indexes: 'actions_pkey actions_by_account actions_by_name actions_by_age',
        sequences: 'seq',
        triggers: 'number_at_commit',
      },
      alarms: {
        columns: 'id code account_id subject text since ended_at notified_at due_at fence failures',
        indexes: 'alarms_pkey alarms_open alarms_due',
        sequences: 'id',
      },
      alarm_looks: { columns: 'id due_at', indexes: 'alarm_looks_pkey' },
      quota_counts: {
        columns: 'account_id counted_seq day of_day month of_month changed_at',
        indexes: 'quota_counts_pkey quota_counts_changed',
      },
      transport_permits: { columns: 'transport day used next_at', indexes: 'transport_permits_pkey' },
      identity: { columns: 'id', indexes: 'identity_pkey identity_is_one' },
    },
    functions:
      'number_at_commit hold_lock join_transaction number_email count_events publish_events publish content_elsewhere clear_sensitive ' +
      'last_delivered sent_since',
  };

  async up(runner: QueryRunner): Promise<void> {
    await makeSchema(runner);
    await runner.query(
      TABLES + NUMBERING + COUNTING + PUBLISHING + ERASED_CONTENTS + SENSITIVE + DELIVERED + SENT_SINCE + QUOTAS,
    );
    await numberAtCommit(runner, 'actions');
  }

  async down(runner: QueryRunner): Promise<void> {
    const { tables = {}, functions = '' } = EmailsCreate1764800001000.makes;
    await runner.query(`
      DROP TABLE IF EXISTS ${listed(Object.keys(tables))};
      DROP FUNCTION IF EXISTS ${listed(functions.split(' ').filter((name) => name !== SHARED))};
    `);
    await dropUnusedSchema(runner);
  }
}

/** Other modules use it too. */
const SHARED = 'number_at_commit';

const listed = (names: readonly string[]) => names.map((name) => `nestjs_emails.${name}`).join(', ');
