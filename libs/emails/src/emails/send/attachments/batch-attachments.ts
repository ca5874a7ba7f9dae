import type { EntityManager } from 'typeorm';
import { ApiError } from '../../../shared/errors/api-error.js';
import type { AttachmentStorage } from '../../ports/attachment-storage.js';
import type { NewAttachment } from '../../storage/email.repository.js';
import type { AttachmentRequest } from '../request/email-request.js';
import { contentHashOf, describe, MessageSize, pathOf, readContent } from './attachment-content.js';
import type { RequestFetches } from './request-fetches.js';

/** What the attachments of one request may fetch: different URLs, and bytes of all of them. */
const MOST = { paths: 20, bytes: 80_000_000 };

interface BatchRules {
  /** Whose contents they are. */
  accountId: string;
  /** The one that the emails join. */
  transaction: EntityManager | undefined;
  storage: AttachmentStorage;
  /** Bytes of one message, and milliseconds of all fetches. */
  limits: { message: number; fetchTime: number };
  /** For one fetch of up to so many bytes within so many milliseconds. */
  open: (maxBytes: number, time: number) => RequestFetches;
}

/** A content that is stored, or will be. */
interface StoredFile {
  contentHash: string;
  size: number;
  filename?: string;
  contentType?: string;
}

/**
 * The attachments of emails that come in one request. Each URL is fetched once and stored at once, so that one file at a
 * time is in memory: what a request that is refused has fetched is left to the housekeeping. What came with the request is
 * stored when all is known to be right.
 */
export class BatchAttachments {
  private readonly files = new Map<string, Promise<StoredFile>>();
  private readonly given = new Map<string, Buffer>();
  private bytesLeft = MOST.bytes;
  private timeLeft: number;

  constructor(private readonly rules: BatchRules) {
    this.timeLeft = rules.limits.fetchTime;
  }

  /**
   * The attachments of one of the emails.
   *
   * @param textSize bytes of its message apart from them
   * @throws ApiError when one of them is refused
   */
  async resolve(requests: readonly AttachmentRequest[], textSize: number): Promise<NewAttachment[]> {
    const size = new MessageSize(this.rules.limits.message, textSize);
    const given = new Map<string, Buffer>();
    const resolved: NewAttachment[] = [];
    for (const [index, request] of requests.entries()) {
      const path = pathOf(request, index);
      const file = path === undefined ? await this.read(request, index, given) : await this.file(path);
      const description = describe(request, file);
      size.add(file.size, description.filename);
      resolved.push({ ...description, contentHash: file.contentHash, size: file.size });
    }
    for (const [hash, content] of given) this.given.set(hash, content);
    return resolved;
  }

  /** Stores what came with the emails that were not refused, one after the other. */
  async store(): Promise<void> {
    const { storage, transaction } = this.rules;
    for (const [hash, content] of this.given) await storage.put(hash, content, transaction);
    this.given.clear();
  }

  /** What came with the request, which is kept in `given`. */
  private async read(request: AttachmentRequest, index: number, given: Map<string, Buffer>): Promise<StoredFile> {
    const { content } = await readContent(request, index);
    const contentHash = await contentHashOf(this.rules.accountId, content);
    given.set(contentHash, content);
    return { contentHash, size: content.length };
  }

  /** Fetched and stored before, or now. What could not be fetched once is not tried again. */
  private file(path: string): Promise<StoredFile> {
    const known = this.files.get(path);
    if (known) return known;
    if (this.files.size === MOST.paths) {
      throw ApiError.invalid(`The attachments of one request may have ${MOST.paths} different \`path\`s.`);
    }
    const file = this.fetch(path);
    this.files.set(path, file);
    return file;
  }

  private async fetch(path: string): Promise<StoredFile> {
    const { accountId, storage, transaction, limits, open } = this.rules;
    const maxBytes = Math.min(new MessageSize(limits.message, 0).room, this.bytesLeft);
    const started = performance.now();
    const fetches = open(maxBytes, Math.max(this.timeLeft, 0));
    try {
      const { content, ...names } = await fetches.fetch(path, maxBytes).finally(() => {
        this.timeLeft -= performance.now() - started;
      });
      fetches.end();
      this.bytesLeft -= content.length;
      const contentHash = await contentHashOf(accountId, content);
      await storage.put(contentHash, content, transaction);
      return { contentHash, size: content.length, ...names };
    } finally {
      fetches.close();
    }
  }
}
