import { isPending, type RecipientState } from '../../states/recipient-state.js';
import type { Lease, LostMessage } from '../../storage/deliver/delivery.repository.js';

/** A pending recipient of an email that is sent as one message for each recipient. */
export interface RecipientTurn {
  /** Its place among the recipients of the email, from 1: the number of its message. */
  message: number;
  recipient: RecipientState;
  /** Attempts at it that ended before this lease, lost ends included. */
  attempts: number;
  /** Attempts at it whose end is unknown. */
  lost: readonly LostMessage[];
}

/** The pending recipients, in the order of the email. */
export function turnsOf({ email, lostMessages = [] }: Lease): RecipientTurn[] {
  return email.recipients.flatMap((recipient, index) => {
    if (!isPending(recipient)) return [];
    const message = index + 1;
    const lost = lostMessages.filter((one) => one.message === message);
    return [{ message, recipient, attempts: knownAttempts(recipient, email.attempts) + lost.length, lost }];
  });
}

/** A recipient that is delayed without a number was delayed with its email, as one of several of a message. */
function knownAttempts({ status, attempts }: RecipientState, ofEmail: number): number {
  return attempts ?? (status === 'pending' ? 0 : ofEmail);
}

/**
 * The recipients that are tried now: those whose time has come, or all if an email is due before that of any. The first
 * place moves with each lease, so that recipients that have to wait for a slot keep no others waiting. A message that may have
 * killed a worker comes last.
 */
export function dueTurns(turns: readonly RecipientTurn[], { email, fence }: Lease): RecipientTurn[] {
  const ripe = turns.filter(({ recipient }) => (recipient.retryAge ?? 0) <= email.age);
  const due = ripe.length > 0 ? ripe : [...turns];
  const first = (fence >> 1) % Math.max(1, due.length);
  const ordered = [...due.slice(first), ...due.slice(0, first)];
  return [...ordered.filter(({ lost }) => lost.length === 0), ...ordered.filter(({ lost }) => lost.length > 0)];
}
