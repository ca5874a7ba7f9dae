import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { create as contentDisposition } from 'content-disposition';
import { ApiError } from '../../../shared/errors/api-error.js';
import { errorReport } from '../../../shared/errors/error-report.js';
import { sendPieces } from '../../../shared/http/send-pieces.js';
import type { LinkedFile } from '../../read/links/linked-files.js';
import { type AskedRange, askedRange } from './byte-range.js';

const logger = new Logger('FilesController');

/**
 * Answers with a file, or the part that `Range` asks for, at the speed of the client: a piece is read from the storage
 * when there is room for it. The browser always saves the file and never shows it.
 *
 * @throws ApiError 416
 * @throws Error of the storage, if it fails before the answer starts
 */
export async function sendFile(file: LinkedFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isHead = request.method === 'HEAD';
  response.setHeader('accept-ranges', 'bytes');
  const range = rangeOf(request, file.size);
  if (range === 'unsatisfiable') {
    throw new ApiError(416, 'validation_error', 'The `Range` header must begin within the file.', {
      'content-range': `bytes */${file.size}`,
    });
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  const pieces = end < start || isHead ? nothing() : file.read({ start, end });
  try {
    // Reads before the answer starts, so that an early failure still gets an error status.
    const first = await pieces.next();
    response.statusCode = range ? 206 : 200;
    if (range) response.setHeader('content-range', `bytes ${start}-${end}/${file.size}`);
    response.setHeader('content-length', end - start + 1);
    response.setHeader('content-type', plainType(file.contentType));
    response.setHeader('content-disposition', contentDisposition(file.filename ?? 'attachment'));
    // The frame of a shared email has no origin.
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    await sendPieces(response, all(first, pieces));
  } finally {
    await pieces.return(undefined);
  }
}

/** Only `GET` has ranges. Answers have no validator for `If-Range`, so it never matches (RFC 9110, section 13.1.5). */
function rangeOf({ method, headers }: IncomingMessage, size: number): AskedRange {
  return method === 'GET' && headers['if-range'] === undefined ? askedRange(headers.range, size) : undefined;
}

/** Drops the parameters if they have characters that are invalid in an HTTP header. */
function plainType(contentType: string): string {
  return /^[\x20-\x7e]*$/.test(contentType) ? contentType : contentType.replace(/;.*$/s, '');
}

async function* all(first: IteratorResult<Uint8Array>, pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; !next.done; next = await pieces.next()) yield next.value;
  } catch (error) {
    logger.error(errorReport(error));
    throw error;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
