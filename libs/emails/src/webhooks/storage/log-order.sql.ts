/** Advisory-lock namespace of the logs (`logs` in ASCII). */
const WRITING = 0x6c6f_6773;

/**
 * Until the end of the transaction no other one writes into logs, because their numbers are in the order of commits.
 * Waiting transactions get it in their order, so that many test events do not hold up the hand-over.
 */
export const HOLD_LOGS = `SELECT pg_advisory_xact_lock(hashtextextended('webhook_events', ${WRITING}))`;
