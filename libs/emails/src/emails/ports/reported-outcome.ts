import type { BounceKind } from '../../shared/replies/bounce.js';
import type { ReportSource } from '../states/report-sources.js';
import type { ReportedKind } from '../states/reported-kinds.js';

export type { ReportedKind, ReportSource };

/**
 * A report about one recipient, received after the next hop accepted the message. For `EmailsService.report`, which
 * refuses other fields by a TypeError.
 */
export interface ReportedOutcome {
  emailId: string;
  /** Default: the email's account. */
  accountId?: string | undefined;
  /**
   * An address of the envelope, or several names of one recipient: the first that is known counts. Letter case and quotes
   * around the local part do not distinguish recipients. May be absent with `recipientIndex` or `mayBeUnnamed`.
   */
  recipient?: string | readonly string[] | undefined;
  /** Index of the recipient in `StagedMessage.recipients`. It counts before an address. Default: none. */
  recipientIndex?: number | undefined;
  /**
   * True: without an address it is about the only recipient that was sent to. If there are several, or the address is
   * unknown, the event has no recipient and moves none, once for each kind. Default: false, the answer is
   * `unknown_recipient`.
   */
  mayBeUnnamed?: boolean | undefined;
  /**
   * - `delivered`: the recipient's own server has it;
   * - `deferred`: the next hop still has it, and tries again;
   * - `bounced`: it was refused after it was sent;
   * - `failed`: the next hop never sent it on;
   * - `complained`: the recipient calls it spam;
   * - `unsubscribed`: the recipient does not want such mail. It changes no state, and is recorded once for each recipient.
   */
  kind: ReportedKind;
  /** Source of the report. */
  source: ReportSource;
  /**
   * Any word of `a-z`, `0-9` and `_`, up to 50 characters: the event's reason code. One of the library's own codes has
   * no sentence here. Default: none.
   */
  code?: string | undefined;
  /** The reply of the server that refused or accepted it. Up to 500 characters are kept. Default: none. */
  reply?: string | undefined;
  /** The kind of a bounce. Default: read from the reply. */
  bounce?: BounceKind | undefined;
}

/**
 * - `recorded`: the recipient has moved forward, or its delay was recorded;
 * - `unchanged`: this was known, or the recipient was further already, or nothing was sent to it;
 * - `unknown_email`, `unknown_recipient`: no such email or recipient exists.
 */
export type ReportResult = 'recorded' | 'unchanged' | 'unknown_email' | 'unknown_recipient';
