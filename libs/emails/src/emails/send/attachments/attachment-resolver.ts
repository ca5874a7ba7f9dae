import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { bytesOfJson } from '../../../shared/bytes/bytes-of-json.js';
import { sha256 } from '../../../shared/bytes/sha256.js';
import { ApiError } from '../../../shared/errors/api-error.js';
import { type MemoryShare, RequestMemory } from '../../../shared/work/request-memory.js';
import { inTurns } from '../../../shared/work/slices.js';
import type { AttachmentStorage } from '../../ports/attachment-storage.js';
import type { NewAttachment } from '../../storage/email.repository.js';
import { attachmentPartSize, largestAttachment } from '../message-size.js';
import type { AttachmentRequest } from '../request/email-request.js';
import type { AttachmentFetcher } from './attachment-fetcher.js';
import { mediaTypeOf } from './media-type.js';
import { RequestFetches } from './request-fetches.js';

/** Bytes of fetched files in memory at the same time; for large ones at least those of the largest message. */
const MEMORY = { medium: 20_000_000, large: 40_000_000 };

export interface ResolverLimits {
  /** Bytes of the whole message, after base64. */
  message: number;
  /** Milliseconds for all fetches of one request, waits included. */
  fetchTime: number;
}

interface LoadedAttachment {
  content: Buffer;
  filename: string | null;
  contentType: string;
  contentId: string | null;
}

/** Resolves attachments to their contents: what is sent later is what was given, or fetched, now. */
@Injectable()
export class AttachmentResolver {
  private readonly memory: RequestMemory;

  constructor(
    private readonly storage: AttachmentStorage,
    private readonly fetcher: Pick<AttachmentFetcher, 'fetch'>,
    private readonly limits: ResolverLimits,
  ) {
    this.memory = new RequestMemory({ ...MEMORY, large: Math.max(MEMORY.large, limits.message) });
  }

  /**
   * Loads and stores the contents. Nothing is stored when one of them is refused.
   *
   * @param accountId whose contents they are, and nobody else's, even if another account has the same
   * @param textSize bytes of the message apart from attachments
   * @param transaction the one that the email joins
   * @param body what the request has in memory already
   */
  async resolve(
    accountId: string,
    requests: readonly AttachmentRequest[],
    textSize: number,
    transaction?: EntityManager,
    body?: MemoryShare,
  ): Promise<NewAttachment[]> {
    this.checkSize(textSize);
    const fetches = requests.some(({ path }) => path !== undefined)
      ? this.fetchesOf(accountId, textSize, body)
      : undefined;
    try {
      const loaded = await this.loadAll(requests, textSize, fetches);
      fetches?.end();
      return await this.store(accountId, loaded, transaction);
    } finally {
      fetches?.close();
    }
  }

  private fetchesOf(accountId: string, textSize: number, body?: MemoryShare): RequestFetches {
    const memory = this.memory.open(accountId, this.roomFor(textSize));
    return new RequestFetches(accountId, this.fetcher, memory, this.limits.fetchTime, body);
  }

  private async loadAll(
    requests: readonly AttachmentRequest[],
    textSize: number,
    fetches: RequestFetches | undefined,
  ): Promise<LoadedAttachment[]> {
    const loaded: LoadedAttachment[] = [];
    let size = textSize;
    for (const [index, request] of requests.entries()) {
      const attachment = await this.load(request, index, size, fetches);
      size += attachmentPartSize(attachment.content.length, attachment.filename);
      this.checkSize(size);
      loaded.push(attachment);
    }
    return loaded;
  }

  /** @param size bytes of the message so far */
  private async load(
    request: AttachmentRequest,
    index: number,
    size: number,
    fetches: RequestFetches | undefined,
  ): Promise<LoadedAttachment> {
    const { content, path, filename, content_type, content_id } = request;
    const field = `attachments[${index}]`;
    if (content !== undefined && path !== undefined) {
      throw ApiError.invalid(`\`${field}\` must have \`content\` or \`path\`, not both.`);
    }
    const contentId = content_id ?? null;
    if (path !== undefined && fetches) {
      const fetched = await fetches.fetch(path, this.roomFor(size));
      const name = filename ?? fetched.filename ?? null;
      return {
        content: fetched.content,
        filename: name,
        contentType: content_type ?? (name === null ? fetched.contentType : undefined) ?? mediaTypeOf(name),
        contentId,
      };
    }
    if (content === undefined) throw ApiError.invalidAttachment(`\`${field}\` must have \`content\` or \`path\`.`);
    const bytes = await bytesOfJson(content);
    if (!bytes) throw ApiError.invalid(`\`${field}.content\` must be a base64 string or an array of byte values.`);
    if (filename === undefined && content_type === undefined) {
      throw ApiError.invalid(`\`${field}\` must have a \`filename\` or a \`content_type\`.`);
    }
    return {
      content: bytes,
      filename: filename ?? null,
      contentType: content_type ?? mediaTypeOf(filename),
      contentId,
    };
  }

  /** One after the other, so that however many there are, they never keep others from the database. */
  private async store(
    accountId: string,
    loaded: readonly LoadedAttachment[],
    transaction?: EntityManager,
  ): Promise<NewAttachment[]> {
    const stored: NewAttachment[] = [];
    for (const { content, ...attachment } of loaded) {
      const contentHash = await inTurns(sha256(content, `${accountId}\0`));
      await this.storage.put(contentHash, content, transaction);
      stored.push({ ...attachment, contentHash, size: content.length });
    }
    return stored;
  }

  /** Bytes of the largest attachment that still fits. */
  private roomFor(size: number): number {
    return Math.max(largestAttachment(this.limits.message - size), 0);
  }

  private checkSize(size: number): void {
    if (size > this.limits.message) {
      throw ApiError.invalid(`The whole message may have ${this.limits.message} bytes, attachments counted in base64.`);
    }
  }
}
