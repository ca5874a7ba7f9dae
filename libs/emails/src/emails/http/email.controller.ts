import { Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { asSeenBy } from '../../shared/callers/as-seen-by.js';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { emailLists } from '../../shared/http/large-answers.js';
import { CurrentCaller, RequestBody, RequestContext } from '../../shared/routes/parameters.js';
import { ChangeService } from '../change/change.service.js';
import type { ChangedEmailDto } from '../change/changed-email.dto.js';
import { UpdateEmailDto } from '../change/update-email.dto.js';
import type { EmailDetailsDto } from '../read/email-details.dto.js';
import { toEmailDetails } from '../read/email-record.js';
import { ListingService } from '../read/listing.service.js';
import { EmailInPath } from './email-in-path.js';

/** One email: `/emails/:id` (contract, sections 3.2, 4.1 and 4.2). */
@Controller('emails/:id')
export class EmailController {
  constructor(
    private readonly listing: ListingService,
    private readonly changes: ChangeService,
  ) {}

  @Get()
  @NeedsRole('viewer')
  async find(
    @CurrentCaller() caller: Caller,
    @EmailInPath() id: string,
    @RequestContext() context: RequestContext,
  ): Promise<EmailDetailsDto> {
    const email = await this.listing.find(caller.accountId, id, (bytes) => context.makeRoom(emailLists, bytes));
    if (!email) throw ApiError.notFound('Email not found');
    return asSeenBy(caller, toEmailDetails(email));
  }

  @Patch()
  @NeedsRole('admin')
  reschedule(
    @CurrentCaller() caller: Caller,
    @EmailInPath() id: string,
    @RequestBody() changes: UpdateEmailDto,
  ): Promise<ChangedEmailDto> {
    return this.changes.reschedule(caller.accountId, id, changes, caller);
  }

  @Post('cancel')
  @HttpCode(200)
  @NeedsRole('support')
  cancel(@CurrentCaller() caller: Caller, @EmailInPath() id: string): Promise<ChangedEmailDto> {
    return this.changes.cancel(caller.accountId, id, caller);
  }

  @Post('retry')
  @HttpCode(200)
  @NeedsRole('support')
  retry(@CurrentCaller() caller: Caller, @EmailInPath() id: string): Promise<ChangedEmailDto> {
    return this.changes.retry(caller.accountId, id, caller);
  }
}
