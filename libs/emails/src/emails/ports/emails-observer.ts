import type { RecipientOutcome } from './email-transport.js';

/** An accepted and committed email. A repeated request with an idempotency key is not observed. */
export interface ObservedAcceptance {
  emailId: string;
  /** From the valid request to the commit. Milliseconds. */
  duration: number;
}

/** An attempt that ended. */
export interface ObservedAttempt {
  emailId: string;
  accountId: string;
  /** Name of the transport. */
  transport: string;
  /** One per recipient of the attempt. */
  outcomes: readonly RecipientOutcome[];
  /** Time of the transport. Milliseconds. */
  duration: number;
  /** Since the email was accepted, or since the time it was scheduled for. Milliseconds. */
  age: number;
}

/** A delivery that failed, wholly or for some recipients, in an attempt or before it. */
export interface ObservedFailure {
  emailId: string;
  /**
   * - `reply`: the next hop refused, temporarily or permanently;
   * - `network`: there was no reply, or no connection;
   * - `policy`: a recipient policy failed, so that the email was deferred;
   * - `message`: the message could not be built, so that the email was deferred;
   * - `transport`: none could be chosen, so that the email was deferred;
   * - `error`: an unexpected error. The email is tried again when its lease ends.
   */
  kind: 'reply' | 'network' | 'policy' | 'message' | 'transport' | 'error';
  /** Reply code and enhanced status (`451 4.7.1`), or the kind of error (`ECONNREFUSED`): no address, no text. */
  reason: string;
}

/** A next hop that became unreachable, while its mail waits, or reachable again. */
export interface ObservedNextHop {
  /** The transport's name for it, such as its host and port. */
  nextHop: string;
  isUp: boolean;
}

/**
 * Called during the work, for metrics. It is in the path of every email, so it must be quick; its errors are logged and
 * have no other effect.
 */
export interface EmailsObserver {
  /** Called after the commit. */
  accepted?(acceptance: ObservedAcceptance): void;
  /** Called when the attempt's end is known, before it is recorded. */
  attempted?(attempt: ObservedAttempt): void;
  /** Called once for each reason of an attempt that failed for any recipient. */
  failed?(failure: ObservedFailure): void;
  /** Called in each process with workers when it notices the change. At the start the next hop counts as up. */
  nextHop?(state: ObservedNextHop): void;
}
