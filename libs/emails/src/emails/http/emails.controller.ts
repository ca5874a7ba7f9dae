import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { asSeenBy } from '../../shared/callers/as-seen-by.js';
import { AllowSendingAccess } from '../../shared/callers/caller.guard.js';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { JsonBodyReader } from '../../shared/http/json-body.reader.js';
import { emailLists } from '../../shared/http/large-answers.js';
import { toPageRequest } from '../../shared/http/page-query.js';
import {
  CurrentCaller,
  IdempotencyKey,
  RequestBody,
  RequestContext,
  RequestQuery,
} from '../../shared/routes/parameters.js';
import { toEnvelope } from '../../shared/rows/page.js';
import { toEmailFilters, toPageColumns } from '../read/email-filters.js';
import type { EmailListDto } from '../read/email-list.dto.js';
import { toListedEmail } from '../read/email-record.js';
import { ListEmailsQueryDto } from '../read/list-emails-query.dto.js';
import { ListingService } from '../read/listing.service.js';
import { AcceptanceService } from '../send/acceptance.service.js';
import { SendEmailDto } from '../send/request/send-email.dto.js';

/**
 * The two operations of the contract. `EmailsModule` applies the guards, which run before a body is read: no body is
 * read before the caller is known. There is no interceptor, because with one Nest runs the handler through rxjs, which
 * costs a sixth of a request.
 */
@Controller('emails')
export class EmailsController {
  constructor(
    private readonly acceptance: AcceptanceService,
    private readonly listing: ListingService,
    readonly bodies: JsonBodyReader,
  ) {}

  @Post()
  @HttpCode(200)
  @AllowSendingAccess()
  @NeedsRole('admin')
  async send(
    @RequestBody() email: SendEmailDto,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @RequestContext() context: RequestContext,
  ): Promise<{ id: string }> {
    const { memory } = context;
    const options = { idempotencyKey, memory, key: caller };
    const { id, replayed } = await this.acceptance.accept(caller.accountId, email, options);
    context.noteEmailId(id);
    if (replayed) context.replayed();
    return { id };
  }

  @Get()
  @NeedsRole('viewer')
  async list(
    @CurrentCaller() caller: Caller,
    @RequestQuery() query: ListEmailsQueryDto,
    @RequestContext() context: RequestContext,
  ): Promise<EmailListDto> {
    const makeRoom = (bytes: number) => context.makeRoom(emailLists, bytes);
    const [request, filters] = [toPageRequest(query), toEmailFilters(query)];
    const page = await this.listing.list(caller.accountId, request, makeRoom, filters, toPageColumns(query));
    return toEnvelope(page, (email) => asSeenBy(caller, toListedEmail(email)));
  }
}
