import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { collapseSlashes } from 'nestjs-emails';
import type { Logger } from 'pino';
import { requestLogging } from '../operations/logging/request-logging.js';
import { HTTP_LIMITS } from './limits.js';
import { refuseMalformedRequests, requireHost } from './malformed-requests.js';

/** Settings of all answers. Call it before the routes exist, that is before `init` and `listen`. */
export function configureHttp(app: NestExpressApplication, logger: Logger): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestLogging(logger), securityHeaders, collapseSlashes, requireHost);

  const server: Server = app.getHttpServer();
  server.headersTimeout = HTTP_LIMITS.headTime.max;
  server.requestTimeout = HTTP_LIMITS.requestTime.max;
  server.keepAliveTimeout = HTTP_LIMITS.keepAlive.max;
  server.timeout = HTTP_LIMITS.idle.max;
  server.maxConnections = HTTP_LIMITS.connections.max;
  refuseMalformedRequests(server);
}

/**
 * Answers are private to their caller and have exactly their content type. A browser that opens one shows it, but runs,
 * loads and embeds nothing.
 */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const securityHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    response.setHeader(name, value);
  }
  next();
};
