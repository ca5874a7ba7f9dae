import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import type { Page, PageRequest } from '../../shared/rows/page.js';
import { ATTACHMENT_STORAGE, type AttachmentStorage } from '../ports/attachment-storage.js';
import { readStored } from '../storage/keep/stored-content.js';
import {
  AttachmentRepository,
  type AttachmentStore,
  type StoredAttachment,
} from '../storage/read/attachment.repository.js';
import { attachmentId, positionOf } from './attachment-id.js';
import { LINK_KINDS } from './links/link-token.js';
import { Links } from './links/links.js';
import type { SentAttachmentDto } from './sent-attachment.dto.js';
import type { SingleAttachmentDto } from './single-attachment.dto.js';

const BEFORE_ALL = -1;

/** The attachments of emails that were sent, in the order in which they were given, with links to their bytes. */
@Injectable()
export class AttachmentsService {
  constructor(
    @Inject(AttachmentRepository) private readonly repository: AttachmentStore,
    @Inject(ATTACHMENT_STORAGE) private readonly storage: AttachmentStorage,
    private readonly links: Links,
  ) {}

  /**
   * @throws ApiError 404 without the email, 422 for a cursor that is not an attachment of it, or where no link can be
   * made
   */
  async list(accountId: string, emailId: string, { limit, cursor }: PageRequest): Promise<Page<SentAttachmentDto>> {
    const direction = cursor?.direction === 'newer' ? 'before' : 'after';
    const position = cursor ? await this.locate(accountId, emailId, cursor.id, direction) : BEFORE_ALL;
    const found = await this.repository.page(accountId, emailId, { direction, position, limit: limit + 1 });
    if (!found) throw unknownEmail();
    const items = this.toRecords(accountId, emailId, found.slice(0, limit));
    return { items: direction === 'before' ? items.reverse() : items, hasMore: found.length > limit };
  }

  /** @throws ApiError 404 without the email or the attachment, 422 where no link can be made */
  async find(accountId: string, emailId: string, id: string): Promise<SingleAttachmentDto> {
    const found = await this.locateAttachment(accountId, emailId, id);
    const [record] = this.toRecords(accountId, emailId, found ? [found] : []);
    if (!record) throw unknownAttachment();
    return { object: 'attachment', ...record };
  }

  /** @throws ApiError 404 without the email or the attachment */
  async open(accountId: string, emailId: string, id: string): Promise<Readable> {
    const found = await this.locateAttachment(accountId, emailId, id);
    const stored = found && (await this.repository.linkedAttachment(emailId, found.position));
    if (stored?.accountId !== accountId) throw unknownAttachment();
    return readStored(this.storage, stored.contentHash, stored.size);
  }

  private async locate(accountId: string, emailId: string, id: string, name: string): Promise<number> {
    const found = await this.locateAttachment(accountId, emailId, id);
    if (!found) throw ApiError.invalid(`\`${name}\` must be the id of an object in this list.`);
    return found.position;
  }

  /** Reads the email also when it cannot have such an attachment. */
  private async locateAttachment(accountId: string, emailId: string, id: string) {
    const position = positionOf(emailId.toLowerCase(), id.toLowerCase()) ?? BEFORE_ALL;
    const found = await this.repository.one(accountId, emailId, position);
    if (!found) throw unknownEmail();
    return found[0];
  }

  private toRecords(accountId: string, emailId: string, found: readonly StoredAttachment[]): SentAttachmentDto[] {
    if (found.length === 0) return [];
    const expiresAt = this.links.expiry();
    const expires_at = new Date(expiresAt).toISOString();
    return found.map(({ position, filename, contentType, contentId, size }) => ({
      id: attachmentId(emailId.toLowerCase(), position),
      filename,
      size,
      content_type: contentType,
      content_disposition: contentId === null ? 'attachment' : 'inline',
      content_id: contentId,
      download_url: this.links.make({ kind: LINK_KINDS.attachment, accountId, emailId, position }, expiresAt),
      expires_at,
    }));
  }
}

function unknownAttachment(): ApiError {
  return ApiError.notFound('Attachment not found');
}

function unknownEmail(): ApiError {
  return ApiError.notFound('Email not found');
}
