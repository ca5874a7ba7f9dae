import type { Readable } from 'node:stream';

/** A message ready for the wire, with its envelope (RFC 5321 section 2.3.1). */
export interface BuiltMessage {
  /** Reverse-path: the sender's address, domain in A-labels. */
  from: string;
  /** Forward-paths: only these addresses get a copy, whatever the headers say. */
  recipients: readonly string[];
  /** True when an address has a non-ASCII local part, also if in a header only, and so needs SMTPUTF8 (RFC 6531). */
  needsSmtpUtf8: boolean;
  /** The message in RFC 5322 form. A stream can be read once. */
  raw: Buffer | Readable;
}

/** What the next hop said. */
export interface SmtpReply {
  /** Reply code (RFC 5321 section 4.2), when one came. */
  code?: number;
  /** The reply's text, or what went wrong instead of a reply. At most 500 characters are kept. */
  text: string;
}

/**
 * What became of one recipient in one attempt:
 * - `accepted`: the next hop took responsibility;
 * - `deferred`: not sent, may be tried again (4xx, no connection);
 * - `rejected`: not sent and never will be (5xx);
 * - `unknown`: the connection was lost after the final dot and before its reply: a copy may have been sent.
 */
export interface RecipientOutcome {
  address: string;
  outcome: 'accepted' | 'deferred' | 'rejected' | 'unknown';
  reply: SmtpReply;
  /** Milliseconds after which the next hop asked to be tried again, when it said so. */
  retryAfter?: number;
}

/** Hands one message to the next hop. */
export interface EmailTransport {
  /**
   * `final`: the next hop is the recipients' own server, so accepted means delivered.
   * `relay`: accepted means sent; delivery is known only when a report says so.
   */
  readonly hop: 'final' | 'relay';

  /**
   * Resolves with exactly one outcome per recipient of the envelope. Never rejects for what the network or the
   * next hop does; a rejection is a bug and is treated as `unknown` for every recipient.
   */
  send(message: BuiltMessage): Promise<readonly RecipientOutcome[]>;

  /** Resolves when the next hop answers, rejects with the reason when it does not. For health checks. */
  verify(): Promise<void>;

  /** Closes idle connections and waits for busy ones. Nothing is sent afterwards. */
  close(): Promise<void>;
}
