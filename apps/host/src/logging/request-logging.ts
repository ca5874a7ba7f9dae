import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';

/**
 * One line for each answer: method, path, status, milliseconds and a request id of our own making, which the answer
 * carries as `x-request-id`; when the request became an email, its id too. Headers, bodies, queries and addresses are never part of it, and instead of a path with
 * ids or addresses in it the route's pattern is written.
 */
export function requestLogging(logger: Logger): HttpLogger {
  const line = (request: IncomingMessage, response: ServerResponse, { responseTime }: { responseTime?: number }) => ({
    method: request.method,
    path: pathOf(request as Request),
    status: response.statusCode,
    ms: responseTime,
    emailId: (response as Response).locals?.emailId,
  });
  return pinoHttp({
    logger,
    genReqId: (_request, response) => {
      const id = randomUUID();
      response.setHeader('x-request-id', id);
      return id;
    },
    customAttributeKeys: { reqId: 'requestId' },
    quietReqLogger: true,
    quietResLogger: true,
    wrapSerializers: false,
    serializers: { req: () => undefined },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessObject: line,
    customErrorObject: (request, response, _error, value) => line(request, response, value),
    customErrorMessage: (_request, response) => (response.writableEnded ? 'request completed' : 'request aborted'),
  });
}

/** The pattern of the route that answered, else the first segment when it looks like a word. */
function pathOf(request: Request): string {
  const pattern: unknown = request.route?.path;
  if (typeof pattern === 'string') {
    return pattern;
  }
  const [, segment] = /^\/([a-z-]{1,20})(?:[/?]|$)/.exec(request.originalUrl) ?? [];
  return segment === undefined ? '(unknown)' : `/${segment}`;
}
