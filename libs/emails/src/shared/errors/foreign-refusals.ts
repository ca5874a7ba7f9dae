import { ApiError } from './api-error.js';
import { API_ERRORS, type ApiErrorName } from './api-errors.js';

interface Answer {
  name: ApiErrorName;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

const RETRY = { 'retry-after': '5' };
const OTHER: Answer = { name: 'validation_error', message: 'The request was refused.' };
const FAILED: Answer = { name: 'application_error', message: ApiError.bug().message };

/** Messages of statuses without a more specific one. */
const ANSWERS: Readonly<Record<number, Answer>> = {
  400: { name: 'validation_error', message: 'The request is malformed.' },
  401: ApiError.invalidApiKey(),
  403: { name: 'invalid_access', message: 'Access to this was refused.' },
  404: ApiError.notFound(),
  405: { name: 'method_not_allowed', message: 'This path does not answer to this method.' },
  413: { name: 'validation_error', message: 'The request body is too large.' },
  415: ApiError.unsupportedMediaType(),
  429: ApiError.rateLimited({}),
  503: { name: 'application_error', message: 'This cannot be answered now. Try again later.', headers: RETRY },
};

/** Shape of Nest's `HttpException`, from any copy of Nest. */
interface HttpExceptionLike {
  getStatus(): unknown;
  getResponse(): unknown;
}

/** Beginning of Nest's message for a path without a route. The rest of the text comes from the caller. */
const NO_ROUTE = /^Cannot [A-Z-]+ /;

/**
 * The refusal of a guard, or of Express, in the contract's shape (section 1). Its status stays, and so does a text
 * `message` of its body, as in Nest's exceptions; otherwise the message follows from the status. Its name stays if the
 * contract has it.
 *
 * @returns undefined for an error that is not a refusal
 */
export function refusalOf(exception: unknown): ApiError | undefined {
  const status = statusOf(exception);
  if (!(Number.isInteger(status) && status >= 300 && status <= 599)) return undefined;
  const { name, message, headers } = ANSWERS[status] ?? (status < 500 ? OTHER : FAILED);
  const body = isHttpException(exception) ? exception.getResponse() : undefined;
  if (!hasMessage(body) || (status === 404 && NO_ROUTE.test(body.message))) {
    return new ApiError(status, name, message, headers);
  }
  return new ApiError(status, isOurs(body.name) ? body.name : name, body.message, headers);
}

function isOurs(name: unknown): name is ApiErrorName {
  return typeof name === 'string' && Object.hasOwn(API_ERRORS, name);
}

function isHttpException(exception: unknown): exception is HttpExceptionLike {
  if (typeof exception !== 'object' || exception === null) return false;
  const { getStatus, getResponse } = exception as Partial<HttpExceptionLike>;
  return typeof getStatus === 'function' && typeof getResponse === 'function';
}

function hasMessage(body: unknown): body is { name?: unknown; message: string } {
  return typeof body === 'object' && body !== null && typeof (body as { message?: unknown }).message === 'string';
}

/** Status of errors of Nest, of `http-errors`, and of Express for an undecodable path; else NaN. */
function statusOf(exception: unknown): number {
  if (isHttpException(exception)) return Number(exception.getStatus());
  if (!(exception instanceof Error)) return Number.NaN;
  const { status, statusCode, expose } = exception as { status?: unknown; statusCode?: unknown; expose?: unknown };
  const isOfExpress = exception instanceof URIError || exception instanceof SyntaxError;
  return status === statusCode && (isOfExpress || typeof expose === 'boolean') ? Number(status) : Number.NaN;
}
