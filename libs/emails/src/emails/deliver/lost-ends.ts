import type { SmtpReply } from '../ports/email-transport.js';
import { isPending } from '../states/recipient-state.js';
import type { Lease } from '../storage/deliver/delivery.repository.js';
import { outcomesForAll } from '../transports/outcomes.js';
import { postpone, type Settlement, type SettlementRules, settle } from './settlement.js';

/** Lost ends after which an email is still tried again at once: a worker may die for many reasons. */
export const TRIED_AT_ONCE = 2;
/** Reply of an attempt whose worker died. */
export const WORKER_LOST: SmtpReply = { text: 'A worker died during an attempt.', reasonCode: 'worker_lost' };

/**
 * Settles attempts that began and whose end is unknown. A copy may have been sent each time, and the email may have
 * killed the worker. Such attempts count: from the third on the email waits as the schedule says, and finally it fails.
 * Undefined: the email is tried now.
 */
export function afterLostEnds(lease: Lease, rules: SettlementRules): Settlement | undefined {
  const { email, endUnknown, lostEnds, sinceLostEnd } = lease;
  const { recipients, attempts } = email;
  if (!endUnknown && sinceLostEnd === null) return undefined;
  const held = rules.onUnknown === 'hold';
  if (!held && lostEnds <= TRIED_AT_ONCE) return undefined;
  const wait = rules.retryPolicy.waitAfter(attempts);
  if (held || endUnknown || wait === undefined) {
    const pending = recipients.filter(isPending).map(({ address }) => address);
    const outcomes = outcomesForAll(pending, 'unknown', WORKER_LOST);
    return settle({ recipients, refused: new Map(), outcomes, attempts }, rules);
  }
  // A process whose clock was ahead may have written the end.
  const left = wait - Math.max(sinceLostEnd ?? 0, 0);
  return left > 0 ? postpone(recipients, attempts, left) : undefined;
}
