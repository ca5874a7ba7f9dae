import type { Readable } from 'node:stream';
import type { SqlTransaction } from '../../shared/rows/sql-transaction.js';

/** Injection token of the attachment storage: the host's or the library's own. */
export const ATTACHMENT_STORAGE = Symbol('nestjs-emails attachment storage');

/**
 * Storage of attachments' bytes, once per account and content. Contents never change, so an existing content need not
 * be written again.
 */
export interface AttachmentStorage {
  /**
   * Keeps `content` under its hash: SHA-256 of the account's id in UTF-8, a zero byte and the content, in lower-case
   * hex. The account in the hash keeps the existence of a content from other accounts. Resolves when the content is
   * durable.
   *
   * @param transaction the host's transaction that the email joins. A storage in the same database writes within it;
   * any other ignores it
   */
  put(hash: string, content: Buffer, transaction?: SqlTransaction): Promise<void>;

  /**
   * Reads a content back, as bytes. Rejects, or returns a stream that fails, when there is none under this hash. Called
   * when its bytes are needed; they are read at the speed of the next hop, and small pieces keep memory low.
   */
  get(hash: string): Promise<Readable>;
}

/**
 * A storage that can read from any byte on. A client that requests the end of a large file, such as a browser that
 * resumes a download, then does not cause a read of the whole file. Without it, the preceding bytes are read and
 * discarded.
 */
export interface SeekingAttachmentStorage extends AttachmentStorage {
  /**
   * Like `get`, from a byte on.
   *
   * @param start bytes to skip; fewer than the content has
   */
  getFrom(hash: string, start: number): Promise<Readable>;
}
