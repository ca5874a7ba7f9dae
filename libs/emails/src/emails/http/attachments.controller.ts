import type { IncomingMessage } from 'node:http';
import { Controller, Get } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ALL, pageQuery, toPageRequest } from '../../shared/http/page-query.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { type ListEnvelope, toEnvelope } from '../../shared/rows/page.js';
import type { AttachmentRecord, SingleAttachmentRecord } from '../read/attachment-record.js';
import { AttachmentsService } from '../read/attachments.service.js';

/** The attachments of an email that was sent (contract, section 3.3). */
@Controller('emails/:id/attachments')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  @Get()
  async list(request: IncomingMessage): Promise<ListEnvelope<AttachmentRecord>> {
    const id = pathId(request);
    const page = toPageRequest(pageQuery(request.url ?? ''), ALL);
    return toEnvelope(await this.attachments.list(accountOf(request), id, page), (record) => record);
  }

  @Get(':attachmentId')
  find(request: IncomingMessage): Promise<SingleAttachmentRecord> {
    const [id, attachmentId] = [pathId(request), pathId(request, 'attachmentId')];
    return this.attachments.find(accountOf(request), id, attachmentId);
  }
}
