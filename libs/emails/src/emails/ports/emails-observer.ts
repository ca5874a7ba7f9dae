import type { RecipientOutcome } from './email-transport.js';

/** An email that was accepted: it is committed. Not told of a repeated request with an idempotency key. */
export interface ObservedAcceptance {
  emailId: string;
  /** From the valid request to the commit. Milliseconds. */
  duration: number;
}

/** An attempt that ended. */
export interface ObservedAttempt {
  emailId: string;
  /** One per recipient that was sent to. */
  outcomes: readonly RecipientOutcome[];
  /** What the transport took. Milliseconds. */
  duration: number;
  /** Since the email was accepted, or since the time it was scheduled for. Milliseconds. */
  age: number;
}

/** A delivery that failed, wholly or for some recipients: an attempt, or what comes before one. */
export interface ObservedFailure {
  emailId: string;
  /**
   * - `reply`: the next hop refused, for now or for good;
   * - `network`: there was no reply, or no connection;
   * - `policy`: a recipient policy failed, so that the email was put off;
   * - `message`: the message could not be made, so that the email was put off;
   * - `error`: something that nobody thought of. The email is tried again when its lease is over.
   */
  kind: 'reply' | 'network' | 'policy' | 'message' | 'error';
  /** Reply code and enhanced status (`451 4.7.1`), or the kind of error (`ECONNREFUSED`): no address, no text. */
  reason: string;
}

/** A next hop that went away: no connection to it can be had, and mail for it waits. Or one that came back. */
export interface ObservedNextHop {
  /** What the transport calls it, such as its host and port. */
  nextHop: string;
  isUp: boolean;
}

/**
 * Told of work as it is done, for metrics. It is called in the path of every email, so it must be quick; what it throws
 * is logged and harms nobody.
 */
export interface EmailsObserver {
  /** Called after the commit. */
  accepted?(acceptance: ObservedAcceptance): void;
  /** Called when the attempt's end is known, before it is recorded. */
  attempted?(attempt: ObservedAttempt): void;
  /** Called once for each reason of an attempt that failed for somebody. */
  failed?(failure: ObservedFailure): void;
  /** Called in each process with workers when it finds out. At the start it takes the next hop to be up. */
  nextHop?(state: ObservedNextHop): void;
}
