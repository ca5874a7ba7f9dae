import { handOverLock } from '../../shared/events/hand-over-lock.js';

/**
 * $1: subscriber. Until the end of the transaction no event is handed over: only then may another transaction write into
 * logs, because their numbers are in the order of commits.
 */
export const HOLD_HAND_OVER = `SELECT pg_advisory_xact_lock(${handOverLock('$1')})`;
