import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Get, Headers, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import { AcceptanceService } from '../acceptance/acceptance.service.js';
import { ApiError } from '../errors/api-error.js';
import { ListingService } from '../listing/listing.service.js';
import { ApiErrorFilter } from './api-error.filter.js';
import { AllowSendingAccess, callerOf } from './caller.guard.js';
import { noteEmailId } from './email-id.js';
import { type EmailRecord, type ListEnvelope, toEmailRecord } from './email-record.js';
import { JsonBodyReader } from './json-body.reader.js';
import { LargeAnswers } from './large-answers.js';
import { readPageQuery } from './page-query.js';
import { readEmailRequest } from './read-email-request.js';

/**
 * The two operations of the contract. Guards are put on by `EmailsModule`, and run before a body is read: nobody's is
 * before the caller is known. What the operations need is read from the request itself, because bodies and custom
 * parameters go through the host's global pipes, which may change them. There is no interceptor: with one, Nest runs the
 * handler through rxjs, for a sixth of what a request costs.
 */
@Controller('emails')
@UseFilters(ApiErrorFilter)
export class EmailsController {
  constructor(
    private readonly acceptance: AcceptanceService,
    private readonly listing: ListingService,
    private readonly bodies: JsonBodyReader,
    private readonly largeAnswers: LargeAnswers,
  ) {}

  @Post()
  @HttpCode(200)
  @AllowSendingAccess()
  async send(
    @Req() request: IncomingMessage,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<{ id: string }> {
    const { body, memory } = await this.bodies.read(request);
    try {
      const email = await readEmailRequest(body);
      const { id, replayed } = await this.acceptance.accept(accountOf(request), email, { idempotencyKey, memory });
      noteEmailId(request, id);
      if (replayed) response.setHeader('idempotent-replayed', 'true');
      return { id };
    } finally {
      memory?.close();
    }
  }

  @Get()
  async list(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<ListEnvelope<EmailRecord>> {
    const accountId = accountOf(request);
    const { items, hasMore } = await this.listing.list(accountId, readPageQuery(request.url ?? ''), (bytes) =>
      this.largeAnswers.makeRoom(bytes, accountId, response),
    );
    return { object: 'list', has_more: hasMore, data: items.map(toEmailRecord) };
  }

  @All()
  refuseMethod(): never {
    throw ApiError.methodNotAllowed(['GET', 'POST']);
  }
}

function accountOf(request: IncomingMessage): string {
  const caller = callerOf(request);
  if (!caller) throw new Error('The emails controller is mounted without CallerGuard.');
  return caller.accountId;
}
