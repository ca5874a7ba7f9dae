import type { Readable } from 'node:stream';
import type { DeliveryReports } from './email-transport.js';

/** The message of one attempt. */
export interface StagedMessage {
  accountId: string;
  emailId: string;
  /** Domain of the address in `from`, in lower-case A-labels. */
  fromDomain: string;
  /** Null for an email without a topic. */
  topicId: string | null;
  /** The transport of this attempt. `kind`: see `EmailTransport`. */
  transport: { name: string; kind: string };
  /** Every recipient of the email, in an order that never changes; those of `envelope` are among them. */
  recipients: readonly string[];
  /** `from` is empty for the null reverse-path (RFC 5321 section 4.5.5). */
  envelope: { from: string; recipients: readonly string[] };
  /**
   * The bytes of the wire format, including the fields of earlier stages, before dot-stuffing (RFC 5321 section 4.5.2).
   * For a large message a function that opens it: each call returns a stream of the same bytes.
   */
  raw: Buffer | (() => Readable);
}

/** The changes that a stage makes to a message. */
export interface StageResult {
  /**
   * Fields to put in front of the message, the first one on top. A value is printable ASCII; CR LF and a blank fold it. A
   * line has up to 998 octets (RFC 5322 section 2.1.1).
   */
  headers?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Another reverse-path: an address, or empty for the null one. Default: unchanged. */
  envelopeFrom?: string | undefined;
  /** Reports requested from a next hop that offers them (RFC 3461). Default: unchanged. */
  dsn?: DeliveryReports | undefined;
  /**
   * `enforced`: the message leaves only over a connection with TLS. Without one it fails permanently, with the reason code
   * `tls_missing`. A transport of the host reads it as `requireTls`. Default: unchanged.
   */
  tls?: 'enforced' | undefined;
}

/** A step between the message and the transport: a return path, a header for a relay, a DKIM signature. */
export interface MessageStage {
  /**
   * True if it signs. A signing stage is called last, because fields that are added in front of a signature later are
   * not covered by it. Default: false.
   */
  readonly isSignature?: boolean | undefined;

  /**
   * True if it waits for nothing outside the process, so that a message need not be made long before its turn: it is called
   * when that is near. Default: false.
   */
  readonly isImmediate?: boolean | undefined;

  /**
   * Called once for each attempt, when the route and the allowed recipients are known, before a connection is acquired
   * (if `isImmediate`, when one is near); once more if fewer recipients are allowed by then. A message that a next hop without `8BITMIME` would get in another
   * form is passed in both forms. Nothing or undefined: the message stays unchanged. A rejection, a malformed result
   * (unknown keys included), or no result within 3 seconds defers the email; for a large message, within 3 seconds since it
   * read a piece.
   */
  apply(message: StagedMessage): StageResult | undefined | Promise<StageResult | undefined>;
}
