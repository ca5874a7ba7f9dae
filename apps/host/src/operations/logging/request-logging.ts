import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { emailIdOf } from 'nestjs-emails';
import type { Logger } from 'pino';

/**
 * One line for each answer: method, path, status, milliseconds and a generated request id, which the answer has as
 * `x-request-id`; if the request created an email, its id too. It never contains headers, bodies, queries and
 * addresses, and has the route's pattern in place of a path with ids or addresses.
 */
export function requestLogging(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    const started = performance.now();
    response.setHeader('x-request-id', requestId);
    response.once('close', () => {
      const level = response.statusCode >= 500 ? 'error' : 'info';
      if (!logger.isLevelEnabled(level)) return;
      const line = { requestId, ...describe(request, response), ms: Math.round(performance.now() - started) };
      logger[level](line, response.writableFinished ? 'request completed' : 'request aborted');
    });
    next();
  };
}

function describe(request: Request, { statusCode }: Response): object {
  return { method: request.method, path: pathOf(request), status: statusCode, emailId: emailIdOf(request) };
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
