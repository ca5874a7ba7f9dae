import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { emailLists } from '../../shared/http/large-answers.js';
import { ReadsJson, type RequestWithBody } from '../../shared/http/reads-json.js';
import { type ChangedEmail, ChangeService } from '../change/change.service.js';
import type { EmailChanges } from '../change/email-changes.fields.js';
import { type EmailDetails, toEmailDetails } from '../read/email-record.js';
import { ListingService } from '../read/listing.service.js';
import { emailInPath } from './email-in-path.js';

/** One email: `/emails/:id` (contract, sections 3.2, 4.1 and 4.2). */
@Controller('emails/:id')
export class EmailController {
  constructor(
    private readonly listing: ListingService,
    private readonly changes: ChangeService,
  ) {}

  @Get()
  async find(request: IncomingMessage, response: ServerResponse): Promise<EmailDetails> {
    const accountId = accountOf(request);
    const email = await this.listing.find(accountId, emailInPath(request), (bytes) =>
      emailLists.makeRoom(bytes, accountId, response),
    );
    if (!email) throw ApiError.notFound('Email not found');
    return toEmailDetails(email);
  }

  @Patch()
  @ReadsJson()
  async reschedule(request: RequestWithBody<EmailChanges>): Promise<ChangedEmail> {
    return this.changes.reschedule(accountOf(request), emailInPath(request), request.body);
  }

  @Post('cancel')
  @HttpCode(200)
  async cancel(request: IncomingMessage): Promise<ChangedEmail> {
    return this.changes.cancel(accountOf(request), emailInPath(request));
  }

  @Post('retry')
  @HttpCode(200)
  async retry(request: IncomingMessage): Promise<ChangedEmail> {
    return this.changes.retry(accountOf(request), emailInPath(request));
  }
}
