import type { BounceKind } from '../../../shared/replies/bounce.js';
import type { LeaseWrite } from '../../../shared/work/lease-write.js';
import type { RecipientOutcome } from '../../ports/email-transport.js';
import type { MovedBy } from '../../states/email-states.js';
import type { ReachedState, RecipientState } from '../../states/recipient-state.js';
import type { NewAttachment } from '../accept/emails.repository.js';

/** Limits of the html and text that are read together with a lease. Bytes. */
export interface InlineLimits {
  content: number;
  /** Of html without text. */
  htmlOnly: number;
}

/** The data that a worker needs to send an email. */
export interface PendingEmail {
  id: string;
  accountId: string;
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  replyTo: string[];
  subject: string;
  /** Null, like `text`, also when `contentSize` exceeds the limit of what is read with a lease. */
  html: string | null;
  text: string | null;
  /** Bytes of html and text. */
  contentSize: number;
  /** True if it has html and no text: the text part is made from it. */
  isHtmlOnly: boolean;
  headers: [string, string][];
  topicId: string | null;
  /** Names of transports that may not take it while they are paused. Null or absent: none. */
  pausedTransports?: readonly string[] | null;
  /** The scheduled time, but not before the time of acceptance: the message's `Date`, the same on every attempt. */
  date: Date;
  attachments: NewAttachment[];
  recipients: RecipientState[];
  /** Null unless transports are chosen by them. */
  tags: { name: string; value: string }[] | null;
  /** Id of the API key for which it was accepted, where sender policies were asked. */
  apiKeyId: string | null;
  domainId: string | null;
  /** In the lane `bulk`. */
  isBulk: boolean;
  /** Time since it was accepted. Milliseconds, by the clock of PostgreSQL. */
  acceptedFor: number;
  /** Time since it was first due. Milliseconds, by the same clock. */
  age: number;
  /** Time since it fell due, including waits for a next hop. Milliseconds, by the same clock. */
  dueFor: number;
  /** Attempts that ended before this lease, lost ends included. */
  attempts: number;
}

export interface Lease {
  email: PendingEmail;
  /** Every write under this lease carries it. */
  fence: number;
  /** The event that this lease moved the email from `scheduled` to `queued`, if it did. */
  started: { id: string; createdAt: Date } | null;
  /** True when an earlier worker died during an attempt at all recipients: it is unknown whether a copy was sent. */
  endUnknown: boolean;
  /** Attempts of this email that began and whose end is unknown, including the one of `endUnknown`. */
  lostEnds: number;
  /** Milliseconds since the end of the latest attempt was found to be lost; null when its end is known. */
  sinceLostEnd: number | null;
  /** Attempts whose end is unknown, each at a message for one recipient. Absent without any; `lostEnds` includes them. */
  lostMessages?: readonly LostMessage[];
  /** Outcomes of messages that an earlier worker sent, and died before the end of its lease. Absent without any. */
  endedOutcomes?: readonly EndedOutcome[];
}

/** An outcome, and the name of its transport. */
export type EndedOutcome = RecipientOutcome & { transport: string | null };

/** An attempt at a message for one recipient, whose end is unknown. */
export interface LostMessage {
  /** Place of the recipient among those of the email, from 1. */
  message: number;
  /** True if the lease has just found it. */
  isNew: boolean;
  /** Milliseconds since it was found; null if the recipient was tried again since. */
  since: number | null;
}

/** `wait`: milliseconds until the email is due. `nothing`: finished, unknown, or leased by another worker. */
export type LeaseResult = { kind: 'leased'; lease: Lease } | { kind: 'wait'; wait: number } | { kind: 'nothing' };

export interface HeldLease {
  id: string;
  fence: number;
}

/** An attempt that is about to begin. */
export interface NewAttempt extends HeldLease {
  /** Name of the transport. */
  transport: string;
  /** Place of the message's only recipient among those of the email, from 1. Default: 0, the message is for all. */
  message?: number;
}

/** A message for one recipient that was sent, or could not be. */
export interface EndedMessage extends HeldLease {
  message: number;
  outcomes: readonly RecipientOutcome[];
}

/** How a lease ends. */
export interface LeaseEnd extends HeldLease {
  recipients: readonly RecipientState[];
  lastEvent: ReachedState;
  attempts: number;
  /** Milliseconds until the next attempt; null when nothing is pending. */
  retryIn: number | null;
  /** Null when no attempt was made. */
  outcomes: readonly RecipientOutcome[] | null;
  endUnknown: boolean;
  events: readonly NewEvent[];
  /** The next hops that are down, as a `bigint` (`hopBits`): when one of them is back, the email is due at once. */
  waitsFor?: string;
  /** Time since it fell due, if it waits for the next hop. Milliseconds. */
  dueFor?: number;
  /** Names of the paused transports that alone may take it: it waits for the end of any of these pauses. */
  pausedTransports?: readonly string[];
  /** True if emails can be found by the transports of their events. */
  isRouted?: boolean;
}

/** How a lease ends under which an email was sent as one message for each recipient. */
export interface SplitEnd extends LeaseEnd {
  /** Each message has its own. */
  outcomes: null;
  messages: readonly Pick<EndedMessage, 'message' | 'outcomes'>[];
}

/** An event to be recorded. */
export interface NewEvent {
  type: MovedBy<'deliver'>;
  /** Absent when it is about the whole email. */
  recipient?: string;
  /** Text of a server or a policy. */
  reason?: string;
  reasonCode?: string;
  /** Number of the attempt that caused it, from 1. */
  attempt?: number;
  /** Name of the transport of that attempt. */
  transport?: string;
  /** Only for a bounce. */
  bounce?: BounceKind;
}

/** A recorded event. */
export type RecordedEvent = NewEvent & { id: string; createdAt: Date };

/** The result of ending a lease: its events if they were recorded. */
export type LeaseClose = readonly RecordedEvent[] | Exclude<LeaseWrite, 'done'>;
