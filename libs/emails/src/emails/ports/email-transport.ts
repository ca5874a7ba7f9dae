import type { Readable } from 'node:stream';

/** A message ready for the wire, with its envelope (RFC 5321 section 2.3.1). */
export interface BuiltMessage {
  /** Reverse-path: the sender's address, domain in A-labels. */
  from: string;
  /** Forward-paths: only these addresses get a copy, whatever the headers say. */
  recipients: readonly string[];
  /** True when an address has a non-ASCII local part, also if in a header only, and so needs SMTPUTF8 (RFC 6531). */
  needsSmtpUtf8: boolean;
  /**
   * The message in RFC 5322 form. Where it is too large to be held in memory, a function that opens it: each call gives
   * a stream of the same bytes from the first one on, which fails when they cannot all be read.
   */
  raw: Buffer | (() => Readable);
  /** Bytes of `raw` where that is a function, if they are known. */
  size?: number;
  /**
   * The same message without bytes above 127 in its body, for a next hop that takes none (no `8BITMIME`, RFC 6152).
   * Absent where `raw` has none itself.
   */
  raw7Bit?: () => Readable;
  /**
   * True when nothing of another message is to follow it on its connection before it was answered: a worker died while it
   * was sent before, perhaps of it, and what waits behind it would be counted as sent with it; or its destination is not
   * known to answer quickly. Default: false.
   */
  isSuspect?: boolean;
}

/** What the next hop said. */
export interface SmtpReply {
  /** Reply code (RFC 5321 section 4.2), when one came. */
  code?: number;
  /** The reply's text, or what went wrong instead of a reply. At most 500 characters are kept. */
  text: string;
  /** The kind of error that there was instead of a reply, in one word for the log, such as `ECONNREFUSED`. */
  error?: string;
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

  /** What the next hop is called in the log, such as its host and port. Default: `the next hop`. */
  readonly nextHop?: string;

  /**
   * Resolves with exactly one outcome per recipient of the envelope. Never rejects for what the network or the
   * next hop does; a rejection is a bug and is treated as `unknown` for every recipient.
   */
  send(message: BuiltMessage): Promise<readonly RecipientOutcome[]>;

  /**
   * Resolves when the next hop answers, rejects with the reason when it does not. For health checks, and once a second
   * while no connection to it can be had.
   *
   * @param signal says when nobody waits for the answer any more. With it, what is asked takes no place from mail
   */
  verify(signal?: AbortSignal): Promise<void>;

  /** Closes idle connections and waits for busy ones. Nothing is sent afterwards. */
  close(): Promise<void>;
}

/** A place on a connection that is ready to take one message. */
export interface TransportPlace {
  /**
   * As `send` of the transport, and at once: what the next hop hears first leaves before this returns. Resolves with
   * `stale` when the connection turned out to be of no use before the next hop said anything about this message: nothing
   * was sent, and the message may be sent after `reopen`.
   */
  send(message: BuiltMessage): Promise<readonly RecipientOutcome[] | 'stale'>;

  /** Opens a connection anew in place of a stale one. Rejects with the reason when the next hop cannot be reached. */
  reopen(): Promise<void>;

  /** Gives the place back. Called once, whatever happened. */
  release(): void;
}

/** Where a message goes, where the next hop may answer for one destination and not for another. */
export interface Destination {
  name: string;
  /** How it answered lately. Undefined: not known. */
  speed: 'quick' | 'slow' | undefined;
}

/**
 * An optional ability of a transport: it tells when its turn has come, before there is a message. Emails then wait for a
 * connection without their content in memory, and who may get one is asked after that wait.
 */
export interface ConnectingTransport extends EmailTransport {
  /**
   * Resolves with undefined when no place became free in time, or when the transport is being closed. Rejects with the
   * reason when the next hop cannot be reached.
   *
   * @param patience milliseconds to wait for a place; the time that connecting takes comes on top
   * @param destination of the message, where the next hop may answer for one and not for another. No destination should
   * get all places: it may hang. Undefined where there is only one
   * @param speed how that destination answered lately, undefined if it is not known. Destinations that are not known to be
   * quick should not get all places together
   */
  takePlace(patience: number, destination?: string, speed?: Destination['speed']): Promise<TransportPlace | undefined>;

  /** As above, and called while places are taken: each is waited for, and who waits for one gets none. */
  close(): Promise<void>;
}
