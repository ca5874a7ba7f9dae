import type { Readable } from 'node:stream';
import type { EntityManager } from 'typeorm';

/**
 * Where the bytes of attachments are kept, once per account and content. Contents never change, so a content that is
 * already there need not be written again.
 */
export interface AttachmentStorage {
  /**
   * Keeps `content` under its hash: SHA-256 of the account's id in UTF-8, a zero byte and the content, in lower-case
   * hex. So whether a content was there already tells nothing of other accounts. Resolves when the content is durable.
   *
   * @param transaction the host's transaction that the email joins. A storage in the same database writes within it; any
   * other ignores it
   */
  put(hash: string, content: Buffer, transaction?: EntityManager): Promise<void>;

  /**
   * Reads a content back, in bytes. Rejects, or gives a stream that fails, when there is none under this hash. Called
   * when its bytes are wanted, which are read as fast as the next hop takes them; small pieces keep memory low.
   */
  get(hash: string): Promise<Readable>;
}

/**
 * A storage that can begin to read anywhere: who asks for the end of a large file, as browsers do that go on with a download,
 * does not have all of it read. Without it, what comes before is read and left out.
 */
export interface SeekingAttachmentStorage extends AttachmentStorage {
  /**
   * As `get`, from a byte on.
   *
   * @param start how many bytes to leave out; fewer than the content has
   */
  getFrom(hash: string, start: number): Promise<Readable>;
}
