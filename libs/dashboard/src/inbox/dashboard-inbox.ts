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

/** Addresses with which an inbox does something else than take what is sent to them. */
export interface InboxHint {
  /** Such as `bounced…@example.com`. */
  address: string;
  /** What happens to mail for it, as a sentence. */
  effect: string;
}

/** An inbox for development, which the page shows in the manner of the well-known mail catchers. */
export interface DashboardInbox {
  /** What is kept, newest first. */
  list(): readonly InboxMessage[];
  /** A message byte for byte (RFC 5322). The stream has to be read to its end or destroyed. Undefined: it is not there. */
  open(id: string): Promise<{ size: number; stream: Readable } | undefined>;
  /** @returns false when it was not there */
  remove(id: string): Promise<boolean>;
  /** Removes all that is kept. */
  clear(): Promise<void>;
  readonly hints: readonly InboxHint[];
  /** True where only callers on this machine may see it. */
  readonly onlyThisMachine: boolean;
}
