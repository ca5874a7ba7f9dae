import type { Readable } from 'node:stream';
import type { InboxSignatures } from './inbox-signatures.js';

/** A received message, without its content. `from` and `to` are the envelope's, so `to` names blind copies too. */
export interface InboxMessage {
  id: string;
  from: string;
  to: readonly string[];
  /** Decoded; empty when the message has none. */
  subject: string;
  /** ISO 8601, UTC. */
  received_at: string;
  /** Bytes. */
  size: number;
  /** Number of attachments. */
  attachments: number;
}

/** An address with a known effect in an inbox. The page has a button that sends an email to it. */
export interface InboxHint {
  /** Such as `bounced@example.com`. */
  address: string;
  /** Effect on mail for it, as a sentence. */
  effect: string;
}

/** The answer of a real server to one recipient. */
export interface ReleasedRecipient {
  address: string;
  accepted: boolean;
  /** The server's words, or the error in place of them. */
  reply: string;
}

/**
 * Sends a message of an inbox to real recipients. Undefined: it does not exist.
 *
 * @param recipients 1 to 50 addresses
 */
export type InboxRelease = (
  id: string,
  recipients: readonly string[],
) => Promise<readonly ReleasedRecipient[] | undefined>;

/** An inbox for development, which the page shows like common mail catchers. */
export interface DashboardInbox {
  /** Kept messages, newest first. */
  list(): readonly InboxMessage[];
  /**
   * A message byte for byte (RFC 5322). The stream has to be read to its end or destroyed. Undefined: it does not
   * exist.
   */
  open(id: string): Promise<{ size: number; stream: Readable } | undefined>;
  /** @returns false when it did not exist */
  remove(id: string): Promise<boolean>;
  /** Removes all messages. */
  clear(): Promise<void>;
  /**
   * Verifies the DKIM signatures of a message. Default: the page says nothing about signatures.
   *
   * @param limit time after which the result is `pending`, while verifying continues. Milliseconds
   */
  verify?(id: string, limit: number): Promise<InboxSignatures>;
  /** Default: nothing leaves the inbox. */
  release?: InboxRelease;
  readonly hints: readonly InboxHint[];
  /** True if only callers on this machine may see it. */
  readonly onlyThisMachine: boolean;
}
