import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import type { AttachmentStorage } from '../ports/attachment-storage.js';
import type { NewAttachment } from '../storage/email.repository.js';
import { decodeAttachmentContent } from './attachment-content.js';
import type { AttachmentFetcher } from './attachment-fetcher.js';
import type { AttachmentRequest } from './email-request.js';
import { mediaTypeOf } from './media-type.js';

interface LoadedAttachment {
  content: Buffer;
  filename: string | null;
  contentType: string;
  contentId: string | null;
}

/** Freezes attachments: what is sent later is what was given, or fetched, now. */
@Injectable()
export class AttachmentFreezer {
  constructor(
    private readonly storage: AttachmentStorage,
    private readonly fetcher: AttachmentFetcher,
    /** Bytes of the whole message, after base64. */
    private readonly messageLimit: number,
  ) {}

  /**
   * Loads and stores the contents. Nothing is stored when one of them is refused.
   *
   * @param textSize bytes of the message apart from attachments
   */
  async freeze(requests: readonly AttachmentRequest[], textSize: number): Promise<NewAttachment[]> {
    const loaded: LoadedAttachment[] = [];
    let size = textSize;
    this.checkSize(size);
    for (const [index, request] of requests.entries()) {
      const room = Math.floor(((this.messageLimit - size) * 3) / 4);
      const attachment = await this.load(request, index, room);
      size += base64Size(attachment.content.length);
      this.checkSize(size);
      loaded.push(attachment);
    }
    return Promise.all(loaded.map((attachment) => this.store(attachment)));
  }

  /** @param room bytes that a fetched content may have */
  private async load(request: AttachmentRequest, index: number, room: number): Promise<LoadedAttachment> {
    const { content, path, filename, content_type, content_id } = request;
    const field = `attachments[${index}]`;
    if (content !== undefined && path !== undefined) {
      throw ApiError.invalid(`\`${field}\` must have \`content\` or \`path\`, not both.`);
    }
    const contentId = content_id ?? null;
    if (path !== undefined) {
      const fetched = await this.fetcher.fetch(path, room);
      const name = filename ?? fetched.filename ?? null;
      return {
        content: fetched.content,
        filename: name,
        contentType: content_type ?? (name === null ? fetched.contentType : undefined) ?? mediaTypeOf(name),
        contentId,
      };
    }
    if (content === undefined) throw ApiError.invalidAttachment(`\`${field}\` must have \`content\` or \`path\`.`);
    const bytes = decodeAttachmentContent(content);
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

  private async store({ content, ...attachment }: LoadedAttachment): Promise<NewAttachment> {
    const contentHash = createHash('sha256').update(content).digest('hex');
    await this.storage.put(contentHash, content);
    return { ...attachment, contentHash, size: content.length };
  }

  private checkSize(size: number): void {
    if (size > this.messageLimit) {
      throw ApiError.invalid(`The whole message may have ${this.messageLimit} bytes, attachments counted in base64.`);
    }
  }
}

/** In lines of 76 characters, each with CR LF (RFC 2045 section 6.8). */
function base64Size(bytes: number): number {
  const characters = Math.ceil(bytes / 3) * 4;
  return characters + Math.ceil(characters / 76) * 2;
}
