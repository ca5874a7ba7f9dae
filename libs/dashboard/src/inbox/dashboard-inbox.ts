import type { Readable } from 'node:stream';

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
}

/** Addresses with a special effect in an inbox. */
export interface InboxHint {
  /** Such as `bounced…@example.com`. */
  address: string;
  /** Effect on mail for it, as a sentence. */
  effect: string;
}

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
  readonly hints: readonly InboxHint[];
  /** True if only callers on this machine may see it. */
  readonly onlyThisMachine: boolean;
}
