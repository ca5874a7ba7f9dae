import type { EmailEvent } from '../../../api/types';

/** The meaning of an event for the mail, and the next step. */
interface Outcome {
  meaning: string;
  advice?: string;
}

const MAIL_SERVER = 'the mail server';

/** By the reason codes of the contract, section 3.4. */
const OF_REASONS: Readonly<Record<string, Outcome>> = {
  expired: {
    meaning: 'We gave up after the last attempt of the schedule.',
    advice: 'Resend it when the problem in the last reply is solved.',
  },
  unknown_outcome_held: {
    meaning: `The connection was lost before ${MAIL_SERVER} confirmed the email. It may have been sent.`,
    advice: 'Ask the recipient before you resend it: they may get it twice.',
  },
  no_recipients_left: {
    meaning: 'Every recipient is on the suppression list, so nothing was sent.',
    advice: 'Remove an address from the list if the recipient wants your mail.',
  },
  topic_opted_out: { meaning: 'The recipient opted out of this topic, so nothing was sent to them.' },
  no_reply: { meaning: `We couldn't reach ${MAIL_SERVER}, or it didn't answer.` },
  worker_lost: { meaning: 'The process that was sending stopped in the middle of this attempt.' },
  message_not_made: {
    meaning: 'The message could not be built.',
    advice: 'The log of the worker names the part that failed.',
  },
  message_too_large: {
    meaning: `The message is larger than ${MAIL_SERVER} accepts.`,
    advice: 'Send a smaller one, with links in place of attachments.',
  },
  smtputf8_missing: {
    meaning: `An address has letters outside of ASCII, which ${MAIL_SERVER} doesn't accept.`,
    advice: 'Send to an address without them.',
  },
  address_too_long: { meaning: `An address is too long for ${MAIL_SERVER}.`, advice: 'Check the address.' },
  tls_missing: {
    meaning: `This email requires an encrypted connection, which ${MAIL_SERVER} doesn't offer.`,
    advice: 'Enable TLS at the mail server.',
  },
  invalid_dsn: { meaning: 'The request for delivery reports is invalid.' },
};

/** By the event, for those whose reason is the words of a server. */
const OF_EVENTS: Readonly<Record<string, Outcome>> = {
  scheduled: { meaning: 'It waits for its time.' },
  queued: { meaning: 'It was accepted and is in the queue.' },
  sent: { meaning: `${capitalized(MAIL_SERVER)} accepted it.` },
  delivered: { meaning: "The recipient's own server accepted it." },
  delivery_delayed: { meaning: `${capitalized(MAIL_SERVER)} asked to try again later.`, advice: 'It is tried again.' },
  complained: {
    meaning: 'The recipient marked it as spam.',
    advice: "Don't write to this address again unless the person asks for it.",
  },
  failed: { meaning: 'It was not sent.' },
  canceled: { meaning: 'It was canceled before it was sent.' },
  suppressed: { meaning: 'The address is on the suppression list, so nothing was sent to it.' },
};

const OF_BOUNCES: Readonly<Record<string, Outcome>> = {
  Permanent: {
    meaning: 'The server refused the address permanently.',
    advice: 'Check the address with the recipient by other means.',
  },
  Transient: { meaning: 'The server refused it this time, for a reason that may pass.', advice: 'Resend it later.' },
  Undetermined: { meaning: 'The server refused it, and its words do not say whether permanently.' },
};

/** A plain sentence for an event, if there is one. */
export function outcomeOf({ type, reason_code: code, bounce }: EmailEvent): Outcome | undefined {
  if (code !== null && Object.hasOwn(OF_REASONS, code)) return OF_REASONS[code];
  if (type === 'bounced' && bounce && Object.hasOwn(OF_BOUNCES, bounce.type)) return OF_BOUNCES[bounce.type];
  return Object.hasOwn(OF_EVENTS, type) ? OF_EVENTS[type] : undefined;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
