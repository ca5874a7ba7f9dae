import { EMAIL_STATES, type EmailEventType, type MovedBy } from './email-states.js';

/** What delivery moves a recipient to. */
type RecipientStatus = Exclude<MovedBy<'deliver'>, 'queued'>;

/** Every event that delivery records of a recipient, in the order of the contract (section 4). */
export const RECIPIENT_EVENTS: readonly EmailEventType[] = Object.entries(EMAIL_STATES).flatMap(([state, { by }]) =>
  state !== 'queued' && (by as readonly string[]).includes('deliver') ? [state as RecipientStatus] : [],
);

/** How far one envelope recipient got. */
export interface RecipientState {
  /** Envelope address, domain in A-labels. */
  address: string;
  /**
   * `pending` until anything is known; `suppressed` of whoever is kept back, whichever event says so; `canceled` of whoever
   * was still owed an email that is.
   */
  status: 'pending' | RecipientStatus | 'canceled';
}

/** True while a recipient is still to be sent to. */
export function isOwed({ status }: RecipientState): boolean {
  return status === 'pending' || !EMAIL_STATES[status].terminal;
}

/** The state of an email, not canceled, whose recipients have come so far. With nobody left to send to, it has failed. */
export function stateOf(recipients: readonly RecipientState[]): MovedBy<'deliver'> {
  let shown: MovedBy<'deliver'> = 'suppressed';
  for (const { status } of recipients) {
    if (status === 'canceled') continue;
    const state = status === 'pending' ? 'queued' : status;
    if (EMAIL_STATES[state].rank > EMAIL_STATES[shown].rank) shown = state;
  }
  return shown === 'suppressed' ? 'failed' : shown;
}
