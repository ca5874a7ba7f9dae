import { ApiError } from '../../../shared/errors/api-error.js';
import type { SqlTransaction } from '../../../shared/rows/sql-transaction.js';
import { EMAIL_LIMITS } from '../../limits.js';
import type { AttachmentStorage } from '../../ports/attachment-storage.js';
import type { NewAttachment } from '../../storage/accept/emails.repository.js';
import type { AttachmentDto } from '../request/attachment.dto.js';
import { contentHashOf, describe, MessageSize, pathOf, readContent, soleOwner } from './attachment-content.js';
import type { RequestFetches } from './request-fetches.js';

/** Limits of the fetches of one request: different URLs, and total bytes. */
const MAX = { paths: EMAIL_LIMITS.urlsOfBatch.max, bytes: EMAIL_LIMITS.filesOfBatch.max };

interface BatchRules {
  /** Owner of the contents. */
  accountId: string;
  /** The transaction that the emails join. */
  transaction: SqlTransaction | undefined;
  storage: AttachmentStorage;
  /** Size limit of one message in bytes, and timeout of all fetches in milliseconds. */
  limits: { message: number; fetchTime: number };
  /** Limits of one fetch: bytes and milliseconds. */
  open: (maxBytes: number, time: number) => RequestFetches;
}

/** A content that is stored, or about to be. */
interface StoredFile {
  contentHash: string;
  size: number;
  filename?: string;
  contentType?: string;
}

/**
 * The attachments of emails that come in one request. Each URL is fetched once and stored at once, so that one file at
 * a time is in memory; housekeeping deletes the files of a refused request. Content in the request itself is stored
 * when all of it is valid.
 */
export class BatchAttachments {
  private readonly files = new Map<string, Promise<StoredFile>>();
  private readonly paths = new Set<string>();
  private readonly given = new Map<string, Buffer>();
  private bytesLeft = MAX.bytes;
  private timeLeft: number;

  constructor(private readonly rules: BatchRules) {
    this.timeLeft = rules.limits.fetchTime;
  }

  /**
   * The attachments of one of the emails.
   *
   * @param textSize bytes of its message without them
   * @param isAlone whether their contents are not shared with other emails; each URL is then fetched for this one
   * @throws ApiError when one of them is refused
   */
  async resolve(requests: readonly AttachmentDto[], textSize: number, isAlone = false): Promise<NewAttachment[]> {
    const owner = isAlone ? soleOwner(this.rules.accountId) : this.rules.accountId;
    const size = new MessageSize(this.rules.limits.message, textSize);
    const given = new Map<string, Buffer>();
    const resolved: NewAttachment[] = [];
    for (const [index, request] of requests.entries()) {
      const path = pathOf(request, index);
      const file = path === undefined ? await this.read(request, index, given, owner) : await this.file(path, owner);
      const description = describe(request, file);
      size.add(file.size, description.filename);
      resolved.push({ ...description, contentHash: file.contentHash, size: file.size });
    }
    for (const [hash, content] of given) this.given.set(hash, content);
    return resolved;
  }

  /** Stores the given contents of accepted emails, one after the other. */
  async store(): Promise<void> {
    const { storage, transaction } = this.rules;
    for (const [hash, content] of this.given) await storage.put(hash, content, transaction);
    this.given.clear();
  }

  /** Content in the request itself, collected in `given`. */
  private async read(
    request: AttachmentDto,
    index: number,
    given: Map<string, Buffer>,
    owner: string,
  ): Promise<StoredFile> {
    const { content } = await readContent(request, index);
    const contentHash = await contentHashOf(owner, content);
    given.set(contentHash, content);
    return { contentHash, size: content.length };
  }

  /** Fetches and stores a URL once for each owner. A failed fetch is not tried again. */
  private file(path: string, owner: string): Promise<StoredFile> {
    const key = JSON.stringify([owner, path]);
    const known = this.files.get(key);
    if (known) return known;
    this.paths.add(path);
    if (this.paths.size > MAX.paths) {
      throw ApiError.invalid(`The attachments of one request may have ${MAX.paths} different \`path\`s.`);
    }
    const file = this.fetch(path, owner);
    this.files.set(key, file);
    return file;
  }

  private async fetch(path: string, owner: string): Promise<StoredFile> {
    const { storage, transaction, limits, open } = this.rules;
    const maxBytes = Math.min(new MessageSize(limits.message, 0).room, this.bytesLeft);
    const started = performance.now();
    const fetches = open(maxBytes, Math.max(this.timeLeft, 0));
    try {
      const { content, ...names } = await fetches.fetch(path, maxBytes).finally(() => {
        this.timeLeft -= performance.now() - started;
      });
      fetches.end();
      this.bytesLeft -= content.length;
      const contentHash = await contentHashOf(owner, content);
      await storage.put(contentHash, content, transaction);
      return { contentHash, size: content.length, ...names };
    } finally {
      fetches.close();
    }
  }
}
