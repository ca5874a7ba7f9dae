import type { EmailRecipient, EmailState } from '../../../api/types';

/** Where something may happen at any moment. */
const UNDER_WAY: ReadonlySet<EmailState> = new Set(['queued', 'scheduled', 'delivery_delayed']);

/** Who is in one of these was sent to. */
const SENT_TO: ReadonlySet<EmailState> = new Set(['sent', 'delivered', 'complained', 'opened', 'clicked']);

/**
 * How often an email is asked for again, in milliseconds; false when nothing more is expected. The state of an email is that
 * of the recipient who needs most attention: it may have `bounced` while somebody else is still tried.
 */
export function intervalOf(state: EmailState, recipients: readonly EmailRecipient[] = []): number | false {
  if (UNDER_WAY.has(state)) return 2_000;
  if (state === 'canceled') return false;
  if (recipients.some(({ last_event }) => UNDER_WAY.has(last_event))) return 2_000;
  // A relay may still report.
  return state === 'sent' ? 15_000 : false;
}

/** What can be done with an email in this state. */
export interface Possible {
  cancel: boolean;
  reschedule: boolean;
  retry: boolean;
  sendAgain: boolean;
}

/** As the API allows it (contract, sections 4.1 and 4.2); the API has the last word. */
export function possibleIn(state: EmailState, recipients: readonly EmailRecipient[] = []): Possible {
  const isScheduled = state === 'scheduled';
  const isDelayed = state === 'delivery_delayed';
  const wasSentTo = recipients.some(({ last_event }) => SENT_TO.has(last_event));
  return {
    cancel: isScheduled || (isDelayed && !wasSentTo),
    reschedule: isScheduled,
    retry: isDelayed,
    sendAgain: !isScheduled && !isDelayed && state !== 'queued',
  };
}
