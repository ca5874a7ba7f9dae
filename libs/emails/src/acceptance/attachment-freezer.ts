import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ApiError } from '../errors/api-error.js';
import type { AttachmentStorage } from '../ports/attachment-storage.js';
import type { NewAttachment } from '../storage/email.repository.js';
import { decodeAttachmentContent } from './attachment-content.js';
import type { AttachmentFetcher } from './attachment-fetcher.js';
import { Slots } from './attachment-fetcher.slots.js';
import { Turn } from './attachment-freezer.turn.js';
import type { AttachmentRequest } from './email-request.js';
import { mediaTypeOf } from './media-type.js';
import { attachmentPartSize, largestAttachment } from './message-size.js';
import { sha256 } from './sha256.js';
import { inTurns } from './slices.js';

/** Requests that hold large fetched files in memory at the same time, each up to the size of a message. */
const LARGE_FETCHES = 1;

interface LoadedAttachment {
  content: Buffer;
  filename: string | null;
  contentType: string;
  contentId: string | null;
}

/** Freezes attachments: what is sent later is what was given, or fetched, now. */
@Injectable()
export class AttachmentFreezer {
  private readonly largeFetches = new Slots(LARGE_FETCHES);

  constructor(
    private readonly storage: AttachmentStorage,
    private readonly fetcher: Pick<AttachmentFetcher, 'fetch'>,
    /** Bytes of the whole message, after base64. */
    private readonly messageLimit: number,
  ) {}

  /**
   * Loads and stores the contents. Nothing is stored when one of them is refused.
   *
   * @param accountId whose contents they are, and nobody else's, even if another account has the same
   * @param textSize bytes of the message apart from attachments
   * @param transaction the one that the email joins
   */
  async freeze(
    accountId: string,
    requests: readonly AttachmentRequest[],
    textSize: number,
    transaction?: EntityManager,
  ): Promise<NewAttachment[]> {
    const turn = new Turn(this.largeFetches);
    try {
      return await this.store(accountId, await this.loadAll(requests, textSize, turn), transaction);
    } finally {
      turn.end();
    }
  }

  private async loadAll(
    requests: readonly AttachmentRequest[],
    textSize: number,
    turn: Turn,
  ): Promise<LoadedAttachment[]> {
    const loaded: LoadedAttachment[] = [];
    let size = textSize;
    this.checkSize(size);
    for (const [index, request] of requests.entries()) {
      const attachment = await this.load(request, index, this.messageLimit - size, turn);
      size += attachmentPartSize(attachment.content.length, attachment.filename);
      this.checkSize(size);
      loaded.push(attachment);
    }
    return loaded;
  }

  /** @param room bytes that are left in the message */
  private async load(request: AttachmentRequest, index: number, room: number, turn: Turn): Promise<LoadedAttachment> {
    const { content, path, filename, content_type, content_id } = request;
    const field = `attachments[${index}]`;
    if (content !== undefined && path !== undefined) {
      throw ApiError.invalid(`\`${field}\` must have \`content\` or \`path\`, not both.`);
    }
    const contentId = content_id ?? null;
    if (path !== undefined) {
      const maxBytes = Math.max(largestAttachment(room), 0);
      const fetched = await this.fetcher.fetch(path, { maxBytes, admitLarge: () => turn.begin() });
      const name = filename ?? fetched.filename ?? null;
      return {
        content: fetched.content,
        filename: name,
        contentType: content_type ?? (name === null ? fetched.contentType : undefined) ?? mediaTypeOf(name),
        contentId,
      };
    }
    if (content === undefined) throw ApiError.invalidAttachment(`\`${field}\` must have \`content\` or \`path\`.`);
    const bytes = await decodeAttachmentContent(content);
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

  private checkSize(size: number): void {
    if (size > this.messageLimit) {
      throw ApiError.invalid(`The whole message may have ${this.messageLimit} bytes, attachments counted in base64.`);
    }
  }
}
