import type { BounceKind } from '../../index.js';

/** A report about one recipient, from a mail server or a relay, before its email is known. */
export interface IncomingReport {
  /** Token of a return path, not verified yet. It counts first; then the next field that leads to an email. */
  token?: string;
  /** A UUID from a relay's signed metadata. */
  emailId?: string;
  /** With or without angle brackets. */
  messageId?: string;
  /** The relay's own id, from its 250. */
  relayId?: string;
  /** The address to which we sent, where the report distinguishes it from `recipient` (RFC 3464 section 2.3.1). */
  originalRecipient?: string;
  /** An address, if the report names one. */
  recipient?: string;
  kind: 'delivered' | 'deferred' | 'bounced' | 'failed' | 'complained';
  source: 'dsn' | 'feedback' | 'relay';
  /** Reason code. Default: read from the reply. */
  code?: string;
  /** The server's words. */
  reply?: string;
  /** Given where the source says it better than the reply. */
  bounce?: BounceKind;
}
