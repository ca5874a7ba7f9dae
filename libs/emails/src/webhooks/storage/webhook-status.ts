import type { EntityManager } from 'typeorm';
import { unsubscribe } from '../../shared/events/subscribe.js';

/** As what the module subscribes to events. */
export const SUBSCRIBER = 'webhooks';

/** Numbers up to here are in logs by now, or belong to what is written just now. */
const NEWEST = `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM nestjs_emails.webhook_events_seq_seq)`;

/** What waits is dropped, also what was to be sent again by hand. $1: webhook, whose row the transaction has locked. */
const DISABLE = `
WITH replays AS (
  UPDATE nestjs_emails.webhook_events SET replays = 0 WHERE webhook_id = $1 AND replays > 0
)
UPDATE nestjs_emails.webhooks SET status = 'disabled', fence = fence + 1, leased_until = NULL,
  dropped_to = ${NEWEST}
WHERE id = $1`;

/** What was written into the log while it was disabled is dropped: it was under way when that came. $1: webhook. */
const ENABLE = `
UPDATE nestjs_emails.webhooks
SET status = 'enabled', failing_from = NULL, failing_since = NULL, dropped_to = ${NEWEST} WHERE id = $1`;

/** An endpoint is told nothing any more. */
export async function disable(manager: EntityManager, webhookId: string): Promise<void> {
  await manager.query(DISABLE, [webhookId]);
  await unsubscribe(manager, { subscriber: SUBSCRIBER, key: webhookId });
}

/** It may be told again, of what is subscribed to from now on. */
export async function enable(manager: EntityManager, webhookId: string): Promise<void> {
  await manager.query(ENABLE, [webhookId]);
}
