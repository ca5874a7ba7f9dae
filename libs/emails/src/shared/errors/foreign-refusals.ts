import { API_ERROR_NAMES, ApiError, type ApiErrorName } from './api-error.js';

interface Answer {
  name: ApiErrorName;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

const RETRY = { 'retry-after': '5' };
const OTHER: Answer = { name: 'validation_error', message: 'The request was refused.' };
const FAILED: Answer = { name: 'application_error', message: ApiError.bug().message };

/** What is said of a status where nobody has said more. */
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

/** What Nest's `HttpException` has, whichever copy of Nest it comes from. */
interface HttpExceptionLike {
  getStatus(): unknown;
  getResponse(): unknown;
}

/** What Nest says of a path without a route. The rest of the text is the caller's own. */
const NO_ROUTE = /^Cannot [A-Z-]+ /;

/**
 * The refusal of a guard, or of Express, in the contract's shape (section 1). Its status stands, and so does the text
 * `message` of its body, which Nest's own exceptions have; else its status decides what is said. Its name stands if it is
 * one of ours.
 *
 * @returns undefined when it is no refusal
 */
export function refusalOf(exception: unknown): ApiError | undefined {
  const status = statusOf(exception);
  if (!(Number.isInteger(status) && status >= 300 && status <= 599)) return undefined;
  const { name, message, headers } = ANSWERS[status] ?? (status < 500 ? OTHER : FAILED);
  const said = isHttpException(exception) ? exception.getResponse() : undefined;
  if (!hasMessage(said) || (status === 404 && NO_ROUTE.test(said.message))) {
    return new ApiError(status, name, message, headers);
  }
  return new ApiError(status, API_ERROR_NAMES.find((known) => known === said.name) ?? name, said.message, headers);
}

function isHttpException(exception: unknown): exception is HttpExceptionLike {
  if (typeof exception !== 'object' || exception === null) return false;
  const { getStatus, getResponse } = exception as Partial<HttpExceptionLike>;
  return typeof getStatus === 'function' && typeof getResponse === 'function';
}

function hasMessage(said: unknown): said is { name?: unknown; message: string } {
  return typeof said === 'object' && said !== null && typeof (said as { message?: unknown }).message === 'string';
}

/** Of Nest's, of `http-errors`, and of what Express throws for a path that cannot be decoded; else NaN. */
function statusOf(exception: unknown): number {
  if (isHttpException(exception)) return Number(exception.getStatus());
  if (!(exception instanceof Error)) return Number.NaN;
  const { status, statusCode, expose } = exception as { status?: unknown; statusCode?: unknown; expose?: unknown };
  const isOfExpress = exception instanceof URIError || exception instanceof SyntaxError;
  return status === statusCode && (isOfExpress || typeof expose === 'boolean') ? Number(status) : Number.NaN;
}
