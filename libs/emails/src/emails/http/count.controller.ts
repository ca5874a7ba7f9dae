import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { CurrentCaller, RequestQuery } from '../../shared/routes/parameters.js';
import type { EmailCountDto } from '../read/email-count.dto.js';
import { toEmailFilters } from '../read/email-filters.js';
import { ListEmailsQueryDto } from '../read/list-emails-query.dto.js';
import { ListingService } from '../read/listing.service.js';

/** The number of emails in a list (contract, section 3.7). */
@Controller('emails/count')
export class CountController {
  constructor(private readonly listing: ListingService) {}

  @Get()
  @NeedsRole('viewer')
  async count(
    @CurrentCaller() { accountId }: Caller,
    @RequestQuery() query: ListEmailsQueryDto,
  ): Promise<EmailCountDto> {
    return { object: 'email_count', count: await this.listing.count(accountId, toEmailFilters(query)) };
  }
}
