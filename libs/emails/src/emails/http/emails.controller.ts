import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { AllowSendingAccess } from '../../shared/callers/caller.guard.js';
import { accountOf } from '../../shared/callers/caller.js';
import { JsonBodyReader } from '../../shared/http/json-body.reader.js';
import { emailLists } from '../../shared/http/large-answers.js';
import { readPageQuery } from '../../shared/http/page-query.js';
import { type ListEnvelope, toEnvelope } from '../../shared/rows/page.js';
import { filtersQuery, toEmailFilters } from '../read/email-filters.js';
import { type EmailRecord, toEmailRecord } from '../read/email-record.js';
import { ListingService } from '../read/listing.service.js';
import { AcceptanceService } from '../send/acceptance.service.js';
import { emailFields } from '../send/request/email-fields.js';
import { noteEmailId } from './email-id.js';

/**
 * The two operations of the contract. Guards are put on by `EmailsModule`, and run before a body is read: nobody's is
 * before the caller is known. There is no interceptor: with one, Nest runs the handler through rxjs, for a sixth of what a
 * request costs.
 */
@Controller('emails')
export class EmailsController {
  constructor(
    private readonly acceptance: AcceptanceService,
    private readonly listing: ListingService,
    private readonly bodies: JsonBodyReader,
  ) {}

  @Post()
  @HttpCode(200)
  @AllowSendingAccess()
  async send(request: IncomingMessage, response: ServerResponse): Promise<{ id: string }> {
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    const { body, memory } = await this.bodies.read(request);
    try {
      const email = emailFields.read(body);
      const { id, replayed } = await this.acceptance.accept(accountOf(request), email, { idempotencyKey, memory });
      noteEmailId(request, id);
      if (replayed) response.setHeader('idempotent-replayed', 'true');
      return { id };
    } finally {
      memory?.close();
    }
  }

  @Get()
  async list(request: IncomingMessage, response: ServerResponse): Promise<ListEnvelope<EmailRecord>> {
    const accountId = accountOf(request);
    const url = request.url ?? '';
    const makeRoom = (bytes: number) => emailLists.makeRoom(bytes, accountId, response);
    const page = await this.listing.list(accountId, readPageQuery(url), makeRoom, toEmailFilters(filtersQuery(url)));
    return toEnvelope(page, toEmailRecord);
  }
}
