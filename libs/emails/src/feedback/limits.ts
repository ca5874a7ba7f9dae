import type { Limits } from '../shared/limits.js';

const MINUTE = 60_000;

/** Limits of feedback. */
export const FEEDBACK_LIMITS = {
  suppressions: { of: 'addresses in `batch/add` and `batch/remove` of suppressions', max: 100, unit: 'in number' },
  undoSpan: { of: 'the time between `from` and `to` of an undo', max: 604_800_000, unit: 'milliseconds' },
  undoShown: {
    of: 'entries that the answer of an undo shows',
    max: 100,
    unit: 'in number',
    beyond: 'the rest is removed too, and not shown',
  },
  messageBytes: { of: 'a report by mail', max: 1_048_576, unit: 'bytes', beyond: '552' },
  connections: {
    of: 'simultaneous connections of the SMTP listener',
    max: 20,
    unit: 'at once',
    beyond: '421, or an idle one of the address that has most is closed',
  },
  /** A relay needs one or few. The others are for the rest. */
  connectionsOfPeer: {
    of: 'simultaneous connections of one address at the SMTP listener',
    max: 10,
    unit: 'at once',
    beyond: '421',
  },
  connectionsOfStranger: {
    of: 'the same, before the address has sent to an accepted recipient',
    max: 3,
    unit: 'at once',
    beyond: '421',
  },
  connectionTime: {
    of: 'the time of a connection to the SMTP listener',
    max: 10 * MINUTE,
    unit: 'milliseconds',
    beyond: 'it is closed',
  },
  strangerTime: {
    of: 'the same, before the address has sent to an accepted recipient',
    max: MINUTE,
    unit: 'milliseconds',
    beyond: 'it is closed',
  },
  messagesPerMinute: {
    of: 'messages and refused recipients of one address at the SMTP listener',
    max: 100,
    unit: 'times a minute',
    beyond: '421',
  },
  hookBody: { of: "the body of a relay's report", max: 1_000_000, unit: 'bytes', beyond: '413' },
  hookBodies: {
    of: "memory for relays' reports of more than 64 kB",
    max: 20_000_000,
    unit: 'bytes',
    beyond: 'waits for room',
  },
  /** Amazon SNS tries again after 20, 40 and 60 seconds, unless its policy says otherwise: one of these is later. */
  earlyReport: {
    of: "the age of a relay's report that is answered 503 because it leads to no email yet",
    max: 30_000,
    unit: 'milliseconds',
    beyond: '200',
  },
  sendgridAge: { of: "the age of SendGrid's signature", max: 15 * MINUTE, unit: 'milliseconds', beyond: '401' },
  /** Mailgun repeats the signature when it tries again: after that time its report is lost. */
  mailgunAge: { of: "the age of Mailgun's signature", max: 15 * MINUTE, unit: 'milliseconds', beyond: '401' },
  /** SNS tries for an hour at most (docs.aws.amazon.com, "Amazon SNS message delivery retries", read 2026-11-26). */
  snsAge: { of: 'the age of a message of Amazon SNS', max: 120 * MINUTE, unit: 'milliseconds', beyond: '401' },
  snsFile: { of: 'a certificate of Amazon SNS', max: 100_000, unit: 'bytes', beyond: '503' },
  snsTime: {
    of: 'a request to Amazon SNS, and the look-up of a certificate of it',
    max: 10_000,
    unit: 'milliseconds',
    beyond: '503',
  },
} satisfies Limits;
