import type { BounceKind, BounceReason, SmtpStage } from '../../index.js';

/** Finding of a received report about one recipient. */
export interface Report {
  /**
   * - `bounced`: the recipient was refused, or a server gave up;
   * - `deferred`: a server tries again;
   * - `delivered`: the recipient has it;
   * - `complained`: the recipient calls it spam;
   * - `opt_out`: the recipient wants no more mail;
   * - `auto_reply`: an answer by a program, such as an out-of-office;
   * - `noted`: a report that changes nothing.
   */
  kind: 'bounced' | 'deferred' | 'delivered' | 'complained' | 'opt_out' | 'auto_reply' | 'noted';
  /** The address that the report is about, as written in it. It may be one to which the recipient forwards. */
  recipient?: string;
  /** The address to which the message was sent, if the report names it apart. */
  originalRecipient?: string;
  /** Enhanced status (RFC 3463), such as `5.1.1`. */
  status?: string;
  /** The words of the server that refused. Up to 500 characters. */
  reply?: string;
  /** The point of the dialogue at which it was refused, if the report says so. */
  stage?: SmtpStage;
  /** The host that refused. */
  remoteMta?: string;
  /** The kind of a bounce. */
  bounce?: BounceKind;
  /** The reason code of a bounce. */
  reasonCode?: BounceReason;
  /** The operator that refused, if it is known. */
  operator?: string;
  /** A token of the form of our return path's, unverified: from the report's own recipient or the returned message. */
  token?: string;
  /** The `Message-ID` of the returned message, without brackets. */
  messageId?: string;
}
