import { Readable } from 'node:stream';
import type { AttachmentStorage } from '../emails/ports/attachment-storage.js';

/** Keeps contents in memory, for tests. */
export class MemoryAttachmentStorage implements AttachmentStorage {
  private readonly contents = new Map<string, Buffer>();

  async put(hash: string, content: Buffer): Promise<void> {
    this.contents.set(hash, Buffer.from(content));
  }

  async get(hash: string): Promise<Readable> {
    return Readable.from([this.content(hash)]);
  }

  content(hash: string): Buffer {
    const content = this.contents.get(hash);
    if (!content) throw new Error('There is no attachment content under this hash.');
    return content;
  }
}
