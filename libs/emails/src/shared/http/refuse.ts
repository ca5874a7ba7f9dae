import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { isDataError, isPassing } from '../errors/database-errors.js';
import { errorReport } from '../errors/error-report.js';
import { refusalOf } from '../errors/foreign-refusals.js';
import { unavailable } from '../errors/unavailable.js';
import { answer, begin } from './answer.js';

/** Time for a client to read the refusal of an unread body. Milliseconds. */
const LINGER = 1_000;

const logger = new Logger('ApiErrorFilter');

/**
 * Answers a failure in the contract's shape (section 1), and logs errors that are not regular refusals. Never throws.
 *
 * @example
 * ```ts
 * refuse(ApiError.notFound(), request, response);
 * ```
 */
export function refuse(exception: unknown, request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) {
    // A started answer is cut off, because a client could not notice that it is incomplete. A finished one stays.
    if (!response.writableEnded) response.destroy();
    return;
  }
  const error = apiErrorOf(exception);
  try {
    for (const [name, value] of Object.entries(error.headers)) {
      // A header set by a guard is more specific than that of the status.
      if (error === exception || !response.hasHeader(name)) response.setHeader(name, value);
    }
    write(error, request, response);
  } catch {
    // The host set an invalid header or status.
    response.destroy();
  }
}

function apiErrorOf(exception: unknown): ApiError {
  try {
    return toApiError(exception);
  } catch {
    logger.error('A value was thrown that cannot be looked at.');
    return ApiError.bug();
  }
}

function toApiError(exception: unknown): ApiError {
  if (exception instanceof ApiError) return exception;
  const refusal = refusalOf(exception);
  if (refusal) {
    if (refusal.statusCode >= 500) logger.error(errorReport(exception));
    return refusal;
  }
  if (isPassing(exception)) {
    const refusal = unavailable(exception);
    logger.warn(refusal.message);
    return refusal;
  }
  if (isDataError(exception)) return ApiError.unstorable();
  logger.error(errorReport(exception));
  return ApiError.bug();
}

function write(error: ApiError, request: IncomingMessage, response: ServerResponse): void {
  if (!isSending(request)) {
    answer(response, error.statusCode, error.toBody());
    return;
  }
  // The body stays unread, so the connection cannot be reused. Ending the response now would reset it, and the client,
  // which is still sending, might never see the answer.
  response.setHeader('connection', 'close');
  response.write(begin(response, error.statusCode, JSON.stringify(error.toBody())));
  const timer = setTimeout(() => response.end(), LINGER);
  request.once('close', () => {
    clearTimeout(timer);
    response.end();
  });
}

/** True if more of the body may arrive. */
export function isSending({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
