import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { sendCsv } from '../../shared/http/send-csv.js';
import { CurrentCaller, RequestContext, RequestQuery } from '../../shared/routes/parameters.js';
import { toEmailFilters } from '../read/email-filters.js';
import { ExportService } from '../read/export/export.service.js';
import { ListEmailsQueryDto } from '../read/list-emails-query.dto.js';

/** The list of emails as a file, read at the speed of the client (contract, section 3.6). */
@Controller('emails/export')
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @Get()
  @NeedsRole('support')
  read(
    @CurrentCaller() { accountId }: Caller,
    @RequestQuery() query: ListEmailsQueryDto,
    @RequestContext() context: RequestContext,
  ): Promise<void> {
    const filters = toEmailFilters(query);
    const open = () => this.exports.open(accountId, filters);
    return sendCsv({ name: 'emails.csv', accountId, open }, context);
  }
}
