import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable, Logger } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { isDataError, isPassing } from '../errors/database-errors.js';

/** How long a caller whose body was not read may take to read the refusal, in milliseconds. */
const LINGER = 1_000;

/**
 * Answers every failure in the contract's shape (section 1). What is not a refusal by rule is logged, without its
 * message, which may hold content. Made for the library's own routes; a host may use it for all of its routes.
 */
@Catch()
@Injectable()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiErrorFilter.name);

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const error = this.toApiError(exception);
    answer(http.getRequest<IncomingMessage>(), http.getResponse<ServerResponse>(), error);
  }

  private toApiError(exception: unknown): ApiError {
    if (exception instanceof ApiError) return exception;
    if (exception instanceof HttpException) return fromHttpException(exception);
    if (isPassing(exception)) {
      this.logger.warn('The database cannot be reached.');
      return ApiError.unavailable();
    }
    if (isDataError(exception)) return ApiError.unstorable();
    this.logger.error(describe(exception));
    return ApiError.bug();
  }
}

function answer(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify(error.toBody());
  response.statusCode = error.statusCode;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  if (request.complete || !hasBody(request)) {
    response.end(body);
    return;
  }
  // The body was not read and will not be: the connection is of no more use. Ending the response now would reset it,
  // and the caller, still sending, might never see the answer.
  response.setHeader('connection', 'close');
  response.write(body);
  const timer = setTimeout(() => response.end(), LINGER);
  request.once('close', () => {
    clearTimeout(timer);
    response.end();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function fromHttpException(exception: HttpException): ApiError {
  const status = exception.getStatus();
  if (status === 401) return ApiError.invalidApiKey();
  if (status === 403) return ApiError.restrictedApiKey();
  if (status === 404) return ApiError.notFound();
  if (status === 415) return ApiError.unsupportedMediaType();
  if (status === 429) return ApiError.rateLimited({});
  if (status === 503) return ApiError.unavailable();
  if (status === 400) return ApiError.malformed('The request is malformed.');
  if (status < 500) return new ApiError(status, 'validation_error', 'The request cannot be handled.');
  return ApiError.bug();
}

/** The kind of failure and where it happened, without its message. */
function describe(exception: unknown): string {
  if (!(exception instanceof Error)) return 'A value that is not an error was thrown.';
  const code = (exception as { code?: unknown }).code;
  const frames = exception.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return [`${exception.name}${typeof code === 'string' ? ` ${code}` : ''}`, ...frames.slice(0, 12)].join('\n');
}
