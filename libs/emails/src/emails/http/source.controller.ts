import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { emailSources } from '../../shared/http/large-answers.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { queryOf, readQuery } from '../../shared/http/query.js';
import { sendPieces } from '../../shared/http/send-pieces.js';
import { limitStandstill, sendStream } from '../../shared/http/send-stream.js';
import { SourceService } from '../read/source/source.service.js';
import { SourceQueryDto } from '../read/source/source-query.dto.js';

/**
 * Memory of files while a message is sent: the parts that were read, and those that the connection has not accepted
 * yet. Bytes.
 */
const IN_TRANSFER = 2_000_000;

/** An email in its wire format (contract, section 3.2): a file to save, read at the speed of the client. */
@Controller('emails/:id/source')
export class SourceController {
  constructor(private readonly sources: SourceService) {}

  @Get()
  @NeedsRole('support')
  async read(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const accountId = accountOf(request);
    const id = pathId(request);
    const { recipient } = readQuery(SourceQueryDto, { ...queryOf(SourceQueryDto, request.url ?? '') });
    const source = await this.sources.find(accountId, id, recipient);
    if (!source) throw ApiError.notFound('Email not found');
    if (request.method === 'HEAD') {
      setHeaders(response, id);
      response.end();
      return;
    }
    limitStandstill(response);
    const bytes = source.contentSize + IN_TRANSFER;
    const content = await emailSources.make({ bytes, account: accountId, response }, () => source.open());
    setHeaders(response, id);
    if (Buffer.isBuffer(content)) await sendPieces(response.setHeader('content-length', content.length), [content]);
    else await sendStream(content, response);
  }
}

function setHeaders(response: ServerResponse, id: string): void {
  response.setHeader('content-type', 'message/rfc822');
  response.setHeader('content-disposition', `attachment; filename="${id.toLowerCase()}.eml"`);
}
