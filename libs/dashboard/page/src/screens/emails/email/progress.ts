import type { EmailRecipient, EmailState } from '../../../api/types';

/** States that may change at any moment. */
const IN_PROGRESS: ReadonlySet<EmailState> = new Set(['queued', 'scheduled', 'delivery_delayed']);

/** States of recipients that the email was sent to. */
const SENT_TO: ReadonlySet<EmailState> = new Set(['sent', 'delivered', 'complained', 'opened', 'clicked']);

/**
 * Polling interval of an email in milliseconds; false when it is final. The state of an email is that of the recipient
 * that needs most attention: it may have `bounced` while another one is still tried.
 */
export function intervalOf(state: EmailState, recipients: readonly EmailRecipient[] = []): number | false {
  if (IN_PROGRESS.has(state)) return 2_000;
  if (state === 'canceled') return false;
  if (recipients.some(({ last_event }) => IN_PROGRESS.has(last_event))) return 2_000;
  // A relay may still report.
  return state === 'sent' ? 15_000 : false;
}

/** Possible actions on an email in this state. */
export interface Possible {
  cancel: boolean;
  reschedule: boolean;
  retry: boolean;
  sendAgain: boolean;
}

/** By the rules of the API (contract, sections 4.1 and 4.2), which has the final decision. */
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
