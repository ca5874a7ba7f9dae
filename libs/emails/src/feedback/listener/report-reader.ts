import type { BounceKind } from '../../index.js';

/** A report about one recipient, as it was read from a message. */
export interface ReadReport {
  /** Kinds other than those of `IncomingReport` change nothing. */
  kind: string;
  recipient?: string | undefined;
  originalRecipient?: string | undefined;
  /** Enhanced status (RFC 3463). */
  status?: string | undefined;
  /** The server's words. */
  reply?: string | undefined;
  bounce?: BounceKind | undefined;
  /** Reason code of a bounce. */
  reasonCode?: string | undefined;
  /** Token of the reported message, where its header came back. */
  token?: string | undefined;
  messageId?: string | undefined;
}

/** Reads the reports in a message. */
export interface ReportReader {
  /**
   * @param network of the client that sent it
   * @throws ThreadLimitError for a message that takes too long; another error when it should be sent again
   */
  read(message: Uint8Array, network: string): Promise<readonly ReadReport[]>;
}
