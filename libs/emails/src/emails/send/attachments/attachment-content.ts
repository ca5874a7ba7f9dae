import { bytesOfJson } from '../../../shared/bytes/bytes-of-json.js';
import { sha256 } from '../../../shared/bytes/sha256.js';
import { ApiError } from '../../../shared/errors/api-error.js';
import { inTurns } from '../../../shared/work/slices.js';
import type { NewAttachment } from '../../storage/email.repository.js';
import { attachmentPartSize, largestAttachment } from '../message-size.js';
import type { AttachmentRequest } from '../request/email-request.js';
import { mediaTypeOf } from './media-type.js';

/** How an attachment is shown to whoever gets it. */
export type Description = Pick<NewAttachment, 'filename' | 'contentType' | 'contentId'>;

/** An attachment, and what it holds. */
export interface LoadedAttachment extends Description {
  content: Buffer;
}

/** How large a message may get, and is so far. */
export class MessageSize {
  /**
   * @param limit bytes of the whole message, after base64
   * @param size bytes that it has already
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

  /** @throws ApiError when it is too much */
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
 * @param index its place among the attachments, for messages
 * @throws ApiError when it has both or neither
 */
export function pathOf({ content, path }: AttachmentRequest, index: number): string | undefined {
  if (content !== undefined && path !== undefined) {
    throw ApiError.invalid(`\`attachments[${index}]\` must have \`content\` or \`path\`, not both.`);
  }
  if (content === undefined && path === undefined) {
    throw ApiError.invalidAttachment(`\`attachments[${index}]\` must have \`content\` or \`path\`.`);
  }
  return path;
}

/**
 * What came with the request.
 *
 * @throws ApiError when that are no bytes, or nothing says what they are
 */
export async function readContent(
  { content, filename, content_type }: AttachmentRequest,
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

/** By what the request says, else by what was fetched with it. */
export function describe(
  { filename, content_type, content_id }: AttachmentRequest,
  fetched: { filename?: string; contentType?: string },
): Description {
  const name = filename ?? fetched.filename ?? null;
  return {
    filename: name,
    contentType: content_type ?? (name === null ? fetched.contentType : undefined) ?? mediaTypeOf(name),
    contentId: content_id ?? null,
  };
}

/** The name of a content in its storage: whose it is counts too. */
export function contentHashOf(accountId: string, content: Buffer): Promise<string> {
  return inTurns(sha256(content, `${accountId}\0`));
}
