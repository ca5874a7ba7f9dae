import { EMAIL_STATES, type EmailEventType, type MovedBy } from './email-states.js';

/** The states to which delivery, or a report, moves a recipient. */
type RecipientStatus = Exclude<MovedBy<'deliver' | 'report'>, 'queued'>;

/** A state of an email that follows from its recipients' states. */
export type ReachedState = MovedBy<'deliver' | 'report'>;

/** Every event that is recorded for a recipient, in the order of the contract (section 4). */
export const RECIPIENT_EVENTS: readonly EmailEventType[] = Object.entries(EMAIL_STATES).flatMap(([state, { by }]) =>
  state !== 'queued' && (by as readonly string[]).some((mover) => mover === 'deliver' || mover === 'report')
    ? [state as RecipientStatus]
    : [],
);

/** The state of one envelope recipient. */
export interface RecipientState {
  /** Envelope address, domain in A-labels. */
  address: string;
  /**
   * `pending` until an outcome is known; `suppressed` if the suppression list refused it, `refused` if another policy did,
   * or the person was erased before; `canceled` for recipients that were pending when the email was canceled.
   */
  status: 'pending' | RecipientStatus | 'refused' | 'canceled';
  /** Attempts at it with a known end, while it is delayed and its email is sent as one message for each recipient. */
  attempts?: number;
  /** Age of its email at which it is tried again, in milliseconds. Absent: when the email is. */
  retryAge?: number;
  /** Age of its email when the last pause of it ended, in milliseconds: see `retriedFor`. Absent: none did. */
  resumedAge?: number;
  /** Names of transports that are not to be taken next, while others may take it. Absent: none. */
  tried?: readonly string[];
  /** Present if its last message went to `redirectAllTo`: its outcome says nothing about the address. */
  redirected?: true;
}

/** True while a recipient is still to be sent to. */
export function isPending({ status }: RecipientState): boolean {
  return status === 'pending' || (status !== 'refused' && !EMAIL_STATES[status].terminal);
}

/** How long retries have lasted: the age of the email, without the time before the end of its last pause. Milliseconds. */
export function retriedFor(age: number, recipients: readonly RecipientState[]): number {
  return age - Math.max(0, ...recipients.filter(isPending).map(({ resumedAge = 0 }) => resumedAge));
}

/** True if nothing was sent to a recipient, or will be: the other recipients do not see it, and it does not count for them. */
export function isKeptBack({ status }: RecipientState): boolean {
  return status === 'suppressed' || status === 'refused';
}

/**
 * The state of an email that is not canceled, from its recipients' states. Without a recipient to send to, it is suppressed
 * if the suppression list refused all of them, else it has failed.
 */
export function stateOf(recipients: readonly RecipientState[]): ReachedState {
  let shown: ReachedState = 'suppressed';
  for (const { status } of recipients) {
    if (status === 'canceled' || status === 'refused') continue;
    const state = status === 'pending' ? 'queued' : status;
    if (EMAIL_STATES[state].rank > EMAIL_STATES[shown].rank) shown = state;
  }
  if (shown !== 'suppressed') return shown;
  return recipients.length > 0 && recipients.every(({ status }) => status === 'suppressed') ? 'suppressed' : 'failed';
}
