import type { EmailState } from '../../../api/types';

/** Where something may happen at any moment. */
const UNDER_WAY: ReadonlySet<EmailState> = new Set(['queued', 'scheduled', 'delivery_delayed']);

/** How often an email is asked for again, in milliseconds; false when nothing more is expected. */
export function intervalOf(state: EmailState): number | false {
  if (UNDER_WAY.has(state)) return 2_000;
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
export function possibleIn(state: EmailState): Possible {
  const isScheduled = state === 'scheduled';
  const isDelayed = state === 'delivery_delayed';
  return {
    cancel: isScheduled || isDelayed,
    reschedule: isScheduled,
    retry: isDelayed,
    sendAgain: !isScheduled && !isDelayed && state !== 'queued',
  };
}
