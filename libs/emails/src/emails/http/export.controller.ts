import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { emailLists } from '../../shared/http/large-answers.js';
import { CurrentCaller, RequestContext, RequestQuery } from '../../shared/routes/parameters.js';
import { toEmailFilters } from '../read/email-filters.js';
import { ExportService } from '../read/export/export.service.js';
import { ListEmailsQueryDto } from '../read/list-emails-query.dto.js';
import { limitStandstill, sendStream } from './send-stream.js';

/** Memory of an export: the page that is read, its text, and what the connection has not accepted yet. Bytes. */
const IN_TRANSFER = 2_000_000;

/** The list of emails as a file, read at the speed of the client (contract, section 3.6). */
@Controller('emails/export')
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @Get()
  @NeedsRole('support')
  async read(
    @CurrentCaller() { accountId }: Caller,
    @RequestQuery() query: ListEmailsQueryDto,
    @RequestContext() { request, response }: RequestContext,
  ): Promise<void> {
    const filters = toEmailFilters(query);
    if (request.method === 'HEAD') {
      setHeaders(response);
      response.end();
      return;
    }
    limitStandstill(response);
    const share = await emailLists.acquire(IN_TRANSFER, accountId, response);
    const pieces = await this.exports.open(accountId, filters);
    setHeaders(response);
    await sendStream(Readable.from(bytesOf(pieces)), response, (bytes) => share.advance(bytes));
  }
}

function setHeaders(response: ServerResponse): void {
  response.setHeader('content-type', 'text/csv; charset=utf-8; header=present');
  response.setHeader('content-disposition', 'attachment; filename="emails.csv"');
}

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
