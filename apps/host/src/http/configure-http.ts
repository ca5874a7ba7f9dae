import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { collapseSlashes } from 'nestjs-emails';
import type { Logger } from 'pino';
import { requestLogging } from '../operations/logging/request-logging.js';
import { refuseMalformedRequests, requireHost } from './malformed-requests.js';

/** Headers must be here within this time. Milliseconds. */
const HEADERS_TIMEOUT = 15_000;

/** A whole request must be here within this time: 58 MB at 0.5 MB a second, 126 MB at 1 MB. Milliseconds. */
const REQUEST_TIMEOUT = 120_000;

/** Longer than the minute after which common load balancers close an unused connection. Milliseconds. */
const KEEP_ALIVE_TIMEOUT = 65_000;

/** A connection on which nothing moved for so long is closed, also one whose other end does not read. Milliseconds. */
const IDLE_TIMEOUT = 120_000;

/** Connections of one process. Further ones are closed as they come: without room for these, nobody is served. */
const MAX_CONNECTIONS = 10_000;

/** What holds for every answer, whoever gives it. Call it before the routes exist, that is before `init` and `listen`. */
export function configureHttp(app: NestExpressApplication, logger: Logger): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestLogging(logger), securityHeaders, collapseSlashes, requireHost);

  const server: Server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  server.timeout = IDLE_TIMEOUT;
  server.maxConnections = MAX_CONNECTIONS;
  refuseMalformedRequests(server);
}

/**
 * Answers belong to their caller alone and are what their content type says. A browser that is led to one shows it, but
 * runs, loads and embeds nothing.
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
