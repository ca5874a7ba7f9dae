import type { Readable } from 'node:stream';
import type { SmtpStage } from '../../shared/replies/smtp-stages.js';
import type { ReasonCode } from '../states/reason-codes.js';

export type { SmtpStage };

/** A message ready for the wire, with its envelope (RFC 5321 section 2.3.1). */
export interface BuiltMessage {
  /** Reverse-path: the sender's address, domain in A-labels. */
  from: string;
  /** Forward-paths: only these addresses get a copy, whatever the headers say. */
  recipients: readonly string[];
  /** True when an address has a non-ASCII local part, also if in a header only, and so needs SMTPUTF8 (RFC 6531). */
  needsSmtpUtf8: boolean;
  /**
   * The message in RFC 5322 form. If it is too large for memory, a function that opens it: each call returns a stream
   * of the same bytes from the first one on, which fails when they cannot all be read.
   */
  raw: Buffer | (() => Readable);
  /** Bytes of `raw` if that is a function and they are known. */
  size?: number;
  /**
   * The same message without bytes above 127 in its body, for a next hop without `8BITMIME` (RFC 6152). Absent if `raw`
   * has no such bytes.
   */
  raw7Bit?: () => Readable;
  /**
   * True when no other message may follow it on its connection before it was answered. Either a worker died during an
   * earlier attempt, perhaps because of this message, and the messages behind it would count as sent with it; or its
   * destination is not known to answer quickly. Default: false.
   */
  isSuspect?: boolean;
  /**
   * Set when the message may leave only over a connection with TLS. Without one every recipient is `deferred` (true):
   * the message is tried again, and fails permanently when its retries are used up; or `rejected` at once (`enforced`).
   * It does not bind the hops behind the next one (unlike `REQUIRETLS`, RFC 8689). Default: false.
   */
  requireTls?: boolean | 'enforced';
  /** Reports requested from the next hop. Default: none, which most servers treat as a request to report failures. */
  dsn?: DeliveryReports;
}

/** Reports on a delivery (RFC 3461). A next hop without this extension gets the message without the request. */
export interface DeliveryReports {
  /** Content of a report of failure: the whole message, or its headers. Default: the next hop's choice. */
  ret?: 'full' | 'headers';
  /** Comes back with each report. Printable ASCII, up to 100 characters, of which `+`, `=` and blanks count three times. */
  envelopeId?: string;
  /** Events reported for each recipient; `never` stands alone. Default: the next hop's choice, commonly failures. */
  notify?: readonly ('never' | 'success' | 'failure' | 'delay')[];
}

/** Reply of the next hop. */
export interface SmtpReply {
  /** Reply code (RFC 5321 section 4.2), if there was one. */
  code?: number;
  /** The reply's text, or the error in place of a reply. Up to 500 characters are kept. */
  text: string;
  /** The point of the dialogue of a refusal. Default: unknown, and judged as one of RCPT. */
  stage?: SmtpStage;
  /** The kind of the error in place of a reply, in one word for the log, such as `ECONNREFUSED`. */
  error?: string;
  /**
   * Reason code of a decision of the transport itself, such as `message_too_large`. Default, without a `code`:
   * `no_reply`.
   */
  reasonCode?: ReasonCode;
}

/**
 * Outcome of one recipient in one attempt:
 * - `accepted`: the next hop took responsibility;
 * - `deferred`: not sent, may be tried again (4xx, no connection);
 * - `rejected`: not sent and never will be (5xx);
 * - `unknown`: the connection was lost after the final dot and before its reply: a copy may have been sent.
 */
export interface RecipientOutcome {
  address: string;
  outcome: 'accepted' | 'deferred' | 'rejected' | 'unknown';
  reply: SmtpReply;
  /** Delay that the next hop asked for, if any. Milliseconds. */
  retryAfter?: number;
}

/** Hands one message to the next hop. */
export interface EmailTransport {
  /**
   * `final`: the next hop is the recipients' own server, so accepted means delivered.
   * `relay`: accepted means sent; delivery is known only when a report says so.
   */
  readonly hop: 'final' | 'relay';

  /** Name of the next hop in the log, such as its host and port. Default: `the next hop`. */
  readonly nextHop?: string;

  /** Kind of transport for message stages: `smtp`, or a relay that needs its own headers. Default: `smtp`. */
  readonly kind?: string;

  /**
   * Resolves with exactly one outcome per recipient of the envelope. Never rejects for what the network or the
   * next hop does; a rejection is a bug and is treated as `unknown` for every recipient.
   */
  send(message: BuiltMessage): Promise<readonly RecipientOutcome[]>;

  /**
   * Resolves when the next hop answers, rejects with the reason when it does not. For health checks, and once a second
   * while no connection to it can be had.
   *
   * @param signal aborts when the answer is no longer needed. A call with a signal does not use a slot of mail
   */
  verify(signal?: AbortSignal): Promise<void>;

  /** Closes idle connections and waits for busy ones. Nothing is sent afterwards. */
  close(): Promise<void>;
}

/** A slot on a connection that is ready for one message. */
export interface TransportSlot {
  /**
   * Like `send` of the transport, but at once: the first bytes are written before this returns. Resolves with `stale`
   * when the connection turned out to be unusable before the next hop said anything about this message: nothing was
   * sent, and the message may be sent after `reopen`.
   */
  send(message: BuiltMessage): Promise<readonly RecipientOutcome[] | 'stale'>;

  /** Replaces a stale connection by a new one. Rejects with the reason when the next hop cannot be reached. */
  reopen(): Promise<void>;

  /** Releases the slot. Called once, after success and failure alike. */
  release(): void;
}

/** Destination of a message, for a next hop that may respond for one destination and not for another. */
export interface Destination {
  name: string;
  /** Recent response speed of the destination. Undefined: unknown. */
  speed: 'quick' | 'slow' | undefined;
}

/**
 * An optional ability of a transport: it grants slots before there is a message. Emails then wait for a connection
 * without their content in memory, and recipient policies are asked after that wait.
 */
export interface ConnectingTransport extends EmailTransport {
  /**
   * Resolves with undefined when no slot became free in time, or when the transport is closing. Rejects with the reason
   * when the next hop cannot be reached.
   *
   * @param patience milliseconds to wait for a slot, without the time to connect
   * @param destination of the message, for a next hop that may respond for one and not for another. No destination
   * should get all slots, since it may hang. Undefined if there is only one
   * @param speed recent response speed of that destination, undefined if unknown. Destinations that are not known to be
   * quick should not get all slots together
   * @param turn of the message among those that wait: the lowest should be first; default 0. A transport that ignores it
   * serves them in order of arrival, so that emails of one account, or bulk, may delay others
   */
  acquireSlot(
    patience: number,
    destination?: string,
    speed?: Destination['speed'],
    turn?: number,
  ): Promise<TransportSlot | undefined>;

  /**
   * As above. May be called while slots are acquired: it waits for their release, and pending waits for a slot end
   * without one.
   */
  close(): Promise<void>;
}
