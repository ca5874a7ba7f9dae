import { randomUUID } from 'node:crypto';
import { bytesOfJson } from '../../../shared/bytes/bytes-of-json.js';
import { sha256 } from '../../../shared/bytes/sha256.js';
import { ApiError } from '../../../shared/errors/api-error.js';
import { inTurns } from '../../../shared/work/slices.js';
import type { NewAttachment } from '../../storage/accept/emails.repository.js';
import { attachmentPartSize, largestAttachment } from '../message-size.js';
import type { AttachmentDto } from '../request/attachment.dto.js';
import { mediaTypeOf } from './media-type.js';

/** How a recipient's program shows an attachment. */
export type Description = Pick<NewAttachment, 'filename' | 'contentType' | 'contentId'>;

/** An attachment with its content. */
export interface LoadedAttachment extends Description {
  content: Buffer;
}

/** The size of a message so far, and its limit. */
export class MessageSize {
  /**
   * @param limit bytes of the whole message, after base64
   * @param size bytes so far
   */
  constructor(
    private readonly limit: number,
    private size: number,
  ) {
    this.check();
  }

  /** Bytes of the largest attachment that still fits. */
  get room(): number {
    return Math.max(largestAttachment(this.limit - this.size), 0);
  }

  /** @throws ApiError above the limit */
  add(bytes: number, filename: string | null): void {
    this.size += attachmentPartSize(bytes, filename);
    this.check();
  }

  private check(): void {
    if (this.size > this.limit) throw messageTooLong(this.limit);
  }
}

/** @param limit bytes */
export function messageTooLong(limit: number): ApiError {
  return ApiError.invalid(`The whole message may have ${limit} bytes, attachments counted in base64.`);
}

/**
 * The URL of an attachment; undefined for one that came with the request.
 *
 * @param index its position among the attachments, for messages
 * @throws ApiError when it has both or neither
 */
export function pathOf({ content, path }: AttachmentDto, index: number): string | undefined {
  if (content !== undefined && path !== undefined) {
    throw ApiError.invalid(`\`attachments[${index}]\` must have \`content\` or \`path\`, not both.`);
  }
  if (content === undefined && path === undefined) {
    throw ApiError.invalidAttachment(`\`attachments[${index}]\` must have \`content\` or \`path\`.`);
  }
  return path;
}

/**
 * Content that came with the request.
 *
 * @throws ApiError for invalid bytes, or an unknown type
 */
export async function readContent(
  { content, filename, content_type }: AttachmentDto,
  index: number,
): Promise<{ content: Buffer }> {
  const field = `attachments[${index}]`;
  const bytes = await bytesOfJson(content);
  if (!bytes) throw ApiError.invalid(`\`${field}.content\` must be a base64 string or an array of byte values.`);
  if (filename === undefined && content_type === undefined) {
    throw ApiError.invalid(`\`${field}\` must have a \`filename\` or a \`content_type\`.`);
  }
  return { content: bytes };
}

/** Name and type from the request, else from the fetched file. */
export function describe(
  { filename, content_type, content_id }: AttachmentDto,
  fetched: { filename?: string; contentType?: string },
): Description {
  const name = filename ?? fetched.filename ?? null;
  return {
    filename: name,
    contentType: content_type ?? (name === null ? fetched.contentType : undefined) ?? mediaTypeOf(name),
    contentId: content_id ?? null,
  };
}

/**
 * The name of a content in its storage, which includes its owner. Emails of an account share contents; those of a
 * sensitive email have a random owner, so that nothing else refers to them and no guess at a content can be checked.
 */
export function contentHashOf(owner: string, content: Buffer): Promise<string> {
  return inTurns(sha256(content, `${owner}\0`));
}

/** An owner of contents that are not shared. */
export function soleOwner(accountId: string): string {
  return `${accountId}\0${randomUUID()}`;
}
