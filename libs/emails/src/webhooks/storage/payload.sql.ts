/**
 * Advisory lock between transactions that record shared payloads (shared) and leases of the version before (exclusive):
 * `pays` in ASCII. The migration's function has it too.
 */
export const SHARING = 0x7061_7973;

export const LOCK_SHARING = `SELECT pg_advisory_xact_lock_shared(${SHARING})`;

/** In the row of an event whose payload is shared. */
export const PLACEHOLDER = '{}';

/** Of a row `w` of webhooks: a worker of the version before may serve it, which reads payloads from the log alone. */
export const IS_SERVED_BEFORE = 'w.leased_until IS NOT NULL AND w.payload_fence IS DISTINCT FROM w.fence';

const ofPayload = (value: string) =>
  `(SELECT ${value} FROM nestjs_emails.webhook_payloads p WHERE p.id = e.payload_id)`;

/** The payload of a row `e` of events. */
export const PAYLOAD = `coalesce(${ofPayload('p.body')}, e.payload)`;
/** Its bytes, without reading it. */
export const PAYLOAD_BYTES = `coalesce(${ofPayload('octet_length(p.body)')}, octet_length(e.payload))`;

/** $1: webhooks, $2: numbers of events. The payload of each, in this order; null: the event is deleted. */
export const PAYLOADS = `
SELECT (
  SELECT ${PAYLOAD} FROM nestjs_emails.webhook_events e WHERE e.webhook_id = asked.webhook_id AND e.seq = asked.seq
) AS payload
FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS asked(webhook_id, seq, place) ORDER BY place`;

/** $1: ids. Locks payloads, in their order, and gives them as they are then. */
export const LOCK_PAYLOADS = `
SELECT id, body FROM nestjs_emails.webhook_payloads WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`;
