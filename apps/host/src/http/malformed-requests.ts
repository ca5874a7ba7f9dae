import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import { ApiError, refuse } from 'nestjs-emails';

interface Refusal {
  statusCode: number;
  message: string;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { statusCode: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { statusCode: 408, message: 'The request did not arrive in time.' },
};

const EXPECTATION: Refusal = { statusCode: 417, message: 'The only supported expectation is `100-continue`.' };

const NOT_HTTP: Refusal = { statusCode: 400, message: 'This is not a well-formed HTTP request.' };

/** Answers requests that Node's HTTP parser refuses, and that reach no route, in the contract's shape. */
export function refuseMalformedRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(answer(REFUSALS[error.code ?? ''] ?? NOT_HTTP));
  });
  server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    socket.end(answer(EXPECTATION));
  });
}

/** Refuses a request of HTTP/1.1 without exactly one `Host` (RFC 9112 section 3.2). */
export const requireHost: RequestHandler = (request, response, next) => {
  if (request.httpVersion !== '1.1' || countHosts(request.rawHeaders) === 1) return next();
  response.setHeader('connection', 'close');
  refuse(ApiError.malformed('A request needs exactly one `Host` header.'), request, response);
};

/** `rawHeaders` has names at even indexes. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function answer({ statusCode, message }: Refusal): string {
  const body = JSON.stringify({ statusCode, name: 'validation_error', message });
  return [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    '',
    body,
  ].join('\r\n');
}
