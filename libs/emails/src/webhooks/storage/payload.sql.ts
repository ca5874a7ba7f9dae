/** The payload of a row `e` of events. */
export const PAYLOAD = '(SELECT p.body FROM nestjs_emails.webhook_payloads p WHERE p.id = e.payload_id)';

/** $1: ids. Locks payloads in order, and returns their state after the lock. */
export const LOCK_PAYLOADS = `
SELECT id, body FROM nestjs_emails.webhook_payloads WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`;
