import type { BounceKind } from '../../index.js';

export interface IncomingReport {
  /** How the email is found, the first that leads to one counts. */
  token?: string; // the return path's, D1, unverified text
  emailId?: string; // from a relay's signed metadata
  messageId?: string; // with or without brackets
  relayId?: string; // the relay's own id, from its 250
  /** An address, if the report names one. */
  recipient?: string;
  kind: 'delivered' | 'deferred' | 'bounced' | 'failed' | 'complained';
  source: 'dsn' | 'feedback' | 'relay';
  code?: string; // reason code, see below
  reply?: string; // the server's words
  bounce?: BounceKind; // when the source says it better than the reply
}
