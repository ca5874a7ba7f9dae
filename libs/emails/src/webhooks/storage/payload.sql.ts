/** The payload of a row `e` of events. A row from before payloads were shared has its own. */
export const PAYLOAD = `coalesce(
  (SELECT p.body FROM nestjs_emails.webhook_payloads p WHERE p.id = e.payload_id), e.payload)`;

/** $1: ids. Locks payloads, in their order, and gives them as they are then. */
export const LOCK_PAYLOADS = `
SELECT id, body FROM nestjs_emails.webhook_payloads WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`;
