import type { EntityManager } from 'typeorm';
import type { AlarmCode } from '../../shared/alarms/alarm-codes.js';
import { unsubscribe } from '../../shared/events/subscribe.js';

/** Name of the module's event subscription. */
export const SUBSCRIBER = 'webhooks';

/** Alarm of a webhook that this module disabled. */
export const DISABLED: AlarmCode = 'webhook_disabled';

/** Events up to this number are in logs, or are being written. */
const NEWEST = `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM nestjs_emails.webhook_events_seq_seq)`;

/** Drops waiting events and replays. $1: webhook, whose row the transaction has locked. */
const DISABLE = `
WITH replays AS (
  UPDATE nestjs_emails.webhook_events SET replays = 0 WHERE webhook_id = $1 AND replays > 0
)
UPDATE nestjs_emails.webhooks SET status = 'disabled', fence = fence + 1, leased_until = NULL,
  dropped_to = ${NEWEST}
WHERE id = $1`;

/**
 * Drops rows that were written into the log while it was disabled: they were being written at that time. $1: webhook.
 */
const ENABLE = `
UPDATE nestjs_emails.webhooks
SET status = 'enabled', failing_from = NULL, failing_since = NULL, dropped_to = ${NEWEST} WHERE id = $1`;

/** Disables an endpoint. */
export async function disable(manager: EntityManager, webhookId: string): Promise<void> {
  await manager.query(DISABLE, [webhookId]);
  await unsubscribe(manager, { subscriber: SUBSCRIBER, key: webhookId });
}

/** Enables an endpoint again, for events from now on. */
export async function enable(manager: EntityManager, webhookId: string): Promise<void> {
  await manager.query(ENABLE, [webhookId]);
}
