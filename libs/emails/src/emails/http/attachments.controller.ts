import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ALL, WholeListQueryDto } from '../../shared/http/page-query.dto.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import { CurrentCaller, PathId, RequestQuery } from '../../shared/routes/parameters.js';
import { toEnvelope } from '../../shared/rows/page.js';
import { AttachmentsService } from '../read/attachments.service.js';
import type { SentAttachmentListDto } from '../read/sent-attachment-list.dto.js';
import type { SingleAttachmentDto } from '../read/single-attachment.dto.js';

/** The attachments of an email that was sent (contract, section 3.3). */
@Controller('emails/:id/attachments')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  @Get()
  @NeedsRole('support')
  async list(
    @CurrentCaller() { accountId }: Caller,
    @PathId() id: string,
    @RequestQuery() page: WholeListQueryDto,
  ): Promise<SentAttachmentListDto> {
    return toEnvelope(await this.attachments.list(accountId, id, toPageRequest(page, ALL)), (record) => record);
  }

  @Get(':attachmentId')
  @NeedsRole('support')
  find(
    @CurrentCaller() { accountId }: Caller,
    @PathId() id: string,
    @PathId('attachmentId') attachmentId: string,
  ): Promise<SingleAttachmentDto> {
    return this.attachments.find(accountId, id, attachmentId);
  }
}
