import { isOwed } from '../states/recipient-state.js';
import type { Lease } from '../storage/delivery.repository.js';
import { outcomesForAll } from '../transports/outcomes.js';
import { postpone, type Settlement, type SettlementRules, settle } from './settlement.js';

/** Lost ends of an email after which it is tried again at once: a worker may be killed for many reasons. */
const TRIED_AT_ONCE = 2;

/**
 * What to do about attempts that began and whose end nobody saw: a copy may have been sent each time, and the email may be
 * what killed the worker. They count as attempts; from the third on the email waits as the schedule says, and some day it
 * ends. Undefined: it is tried now.
 */
export function afterLostEnds(lease: Lease, rules: SettlementRules): Settlement | undefined {
  const { email, endUnknown, lostEnds, sinceLostEnd } = lease;
  const { recipients, attempts } = email;
  if (!endUnknown && sinceLostEnd === null) return undefined;
  const held = rules.onUnknown === 'hold';
  if (!held && lostEnds <= TRIED_AT_ONCE) return undefined;
  const wait = rules.retryPolicy.waitAfter(attempts);
  if (held || endUnknown || wait === undefined) {
    const owed = recipients.filter(isOwed).map(({ address }) => address);
    const outcomes = outcomesForAll(owed, 'unknown', { text: 'A worker died during an attempt.' });
    return settle({ recipients, refused: new Map(), outcomes, attempts }, rules);
  }
  // A clock that was ahead may have written the end.
  const left = wait - Math.max(sinceLostEnd ?? 0, 0);
  return left > 0 ? postpone(recipients, attempts, left) : undefined;
}
