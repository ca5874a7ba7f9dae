import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Logger } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { errorReport } from '../../shared/errors/error-report.js';
import { emailSources } from '../../shared/http/large-answers.js';
import { pathId } from '../../shared/http/path-parameter.js';
import { SourceService } from '../read/source/source.service.js';

/** Bytes of files that are in memory while a message is sent: what was read of them, and what the connection has not taken. */
const UNDER_WAY = 2_000_000;

/** How long nothing may move on the connection, in milliseconds: for longer than the waits of ours. */
const STANDSTILL = 60_000;

const logger = new Logger('SourceController');

/** An email as it is on the wire (contract, section 3.2): a file to be saved, which is read as fast as it is taken. */
@Controller('emails/:id/source')
export class SourceController {
  constructor(private readonly sources: SourceService) {}

  @Get()
  async read(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const accountId = accountOf(request);
    const id = pathId(request);
    const source = await this.sources.find(accountId, id);
    if (!source) throw ApiError.notFound('Email not found');
    if (request.method === 'HEAD') {
      setHeaders(response, id);
      response.end();
      return;
    }
    response.setTimeout(STANDSTILL, () => response.destroy());
    const share = await emailSources.take(source.contentSize + UNDER_WAY, accountId, response);
    const message = await source.open();
    setHeaders(response, id);
    if (Buffer.isBuffer(message)) response.setHeader('content-length', message.length).end(message);
    else await send(message, response, (bytes) => share.advance(bytes));
  }
}

function setHeaders(response: ServerResponse, id: string): void {
  response.setHeader('content-type', 'message/rfc822');
  response.setHeader('content-disposition', `attachment; filename="${id.toLowerCase()}.eml"`);
}

/** An answer that fails once it was begun is not ended, so that nobody takes it for whole. */
async function send(message: Readable, response: ServerResponse, onPiece: (bytes: number) => void): Promise<void> {
  async function* metered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      yield piece;
      onPiece(piece.length);
    }
  }
  message.once('error', (error) => {
    if (!response.destroyed) logger.error(errorReport(error));
  });
  // Who goes away, or is cut off, is no failure.
  await pipeline(message, metered, response).catch(() => response.destroy());
}
