import type { Readable } from 'node:stream';

/**
 * Where the bytes of attachments are kept, once per content. Contents never change, so a content that is already
 * there need not be written again.
 */
export interface AttachmentStorage {
  /** Keeps `content` under its hash (SHA-256, lower-case hex). Resolves when the content is durable. */
  put(hash: string, content: Buffer): Promise<void>;

  /** Reads a content back. Rejects when there is none under this hash. */
  get(hash: string): Promise<Readable>;
}
