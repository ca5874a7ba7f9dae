import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  All,
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Post,
  Req,
  Res,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { AcceptanceService } from '../acceptance/acceptance.service.js';
import type { EmailRequest } from '../acceptance/email-request.js';
import { ApiError } from '../errors/api-error.js';
import { ListingService } from '../listing/listing.service.js';
import type { Caller } from '../ports/account-resolver.js';
import { ApiErrorFilter } from './api-error.filter.js';
import { AllowSendingAccess, CurrentCaller } from './caller.guard.js';
import { EmailBodyPipe } from './email-body.pipe.js';
import { type EmailRecord, type ListEnvelope, toEmailRecord } from './email-record.js';
import { JsonBodyInterceptor } from './json-body.interceptor.js';
import { LargeAnswers } from './large-answers.js';
import { readPageQuery } from './page-query.js';

/** The two operations of the contract. Guards are put on by `EmailsModule`. */
@Controller('emails')
@UseFilters(ApiErrorFilter)
export class EmailsController {
  constructor(
    private readonly acceptance: AcceptanceService,
    private readonly listing: ListingService,
    private readonly largeAnswers: LargeAnswers,
  ) {}

  @Post()
  @HttpCode(200)
  @AllowSendingAccess()
  @UseInterceptors(JsonBodyInterceptor)
  async send(
    @CurrentCaller() caller: Caller,
    @Body(EmailBodyPipe) request: EmailRequest,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<{ id: string }> {
    const { id, replayed } = await this.acceptance.accept(caller.accountId, request, idempotencyKey);
    if (replayed) response.setHeader('idempotent-replayed', 'true');
    return { id };
  }

  @Get()
  async list(
    @CurrentCaller() { accountId }: Caller,
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<ListEnvelope<EmailRecord>> {
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
