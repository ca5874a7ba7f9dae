import { HttpException } from '@nestjs/common';
import { LIMITS } from '../limits.js';
import type { ApiErrorName } from './api-errors.js';

/** The one shape of errors (contract, section 1). */
export interface ApiErrorBody {
  statusCode: number;
  name: ApiErrorName;
  message: string;
}

/**
 * A refusal in the contract's shape (section 1). The message names the field and says what would be right; it never
 * carries a secret, a body, SQL or another account's data. For Nest, and for a host's own filters, it is an exception
 * with that status and body.
 *
 * @example
 * ```ts
 * throw ApiError.invalid('`count` must be a whole number.'); // 422 validation_error
 * ```
 */
export class ApiError extends HttpException {
  constructor(
    readonly statusCode: number,
    override readonly name: ApiErrorName,
    message: string,
    /** Response headers that belong to the refusal. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super({ statusCode, name, message }, statusCode);
  }

  /** The answer's body. */
  toBody(): ApiErrorBody {
    return { statusCode: this.statusCode, name: this.name, message: this.message };
  }

  /** 400: the request itself is malformed. */
  static malformed(message: string): ApiError {
    return new ApiError(400, 'validation_error', message);
  }

  /** 422: a field breaks a rule. The message names both. */
  static invalid(message: string): ApiError {
    return new ApiError(422, 'validation_error', message);
  }

  /** 422: PostgreSQL refused a value. */
  static unstorable(): ApiError {
    return ApiError.invalid('The request holds a value that cannot be stored.');
  }

  /** 422: a required field is absent. */
  static missingField(field: string): ApiError {
    return new ApiError(422, 'missing_required_field', `Missing \`${field}\` field.`);
  }

  /** 422: an email has neither html nor text, but one is required. The message is Resend's. */
  static missingContent(): ApiError {
    return new ApiError(422, 'missing_required_field', 'Missing `html` or `text` field.');
  }

  /** 422: the id in a path is malformed. */
  static invalidId(): ApiError {
    return new ApiError(422, 'invalid_parameter', 'The `id` must be a valid UUID.');
  }

  /** 422: an attachment is incomplete, or could not be fetched. */
  static invalidAttachment(message: string): ApiError {
    return new ApiError(422, 'invalid_attachment', message);
  }

  /** 400. */
  static invalidIdempotencyKey(): ApiError {
    return new ApiError(
      400,
      'invalid_idempotency_key',
      `The \`Idempotency-Key\` header must have between 1 and ${LIMITS.idempotencyKey.max} characters.`,
    );
  }

  /** 409: the key belongs to another request. */
  static idempotencyConflict(): ApiError {
    return new ApiError(
      409,
      'invalid_idempotent_request',
      'This `Idempotency-Key` was used with a different request. Use a new key for a new request.',
    );
  }

  /** 401: no token came with the request. */
  static missingApiKey(): ApiError {
    return new ApiError(401, 'missing_api_key', 'Missing API key. Send it as `Authorization: Bearer <token>`.', {
      'www-authenticate': 'Bearer',
    });
  }

  /** 401: the token is not known. Clients search for Resend's words "API key is invalid". */
  static invalidApiKey(): ApiError {
    return new ApiError(401, 'invalid_api_key', 'The API key is invalid: it is unknown, malformed or revoked.', {
      'www-authenticate': 'Bearer',
    });
  }

  /** 401: the token is known, but lacks the permission. */
  static restrictedApiKey(): ApiError {
    return new ApiError(401, 'restricted_api_key', 'This API key may only send emails.', {
      'www-authenticate': 'Bearer',
    });
  }

  /** 401: the token is known, and opens the page alone. */
  static pageKey(): ApiError {
    return new ApiError(401, 'restricted_api_key', 'This API key only opens the page.', {
      'www-authenticate': 'Bearer',
    });
  }

  /** 403: the role of the person does not suffice. */
  static roleTooLow(role: string, needed: string): ApiError {
    return new ApiError(403, 'invalid_access', `Your role \`${role}\` does not allow this: it needs \`${needed}\`.`);
  }

  /** 403: the link is invalid for any reason. */
  static invalidLink(): ApiError {
    return new ApiError(403, 'invalid_access', 'This link is not valid or has expired.');
  }

  /** 404: no such path, or no such object in a path. */
  static notFound(message = 'There is nothing at this path.'): ApiError {
    return new ApiError(404, 'not_found', message);
  }

  /** 405, with `Allow`. */
  static methodNotAllowed(allowed: readonly string[]): ApiError {
    const allow = allowed.join(', ');
    return new ApiError(405, 'method_not_allowed', `This path answers to ${allow}.`, { allow });
  }

  /** 413. `limit`: bytes. */
  static tooLarge(limit: number): ApiError {
    return new ApiError(413, 'validation_error', `The request body is larger than ${limit} bytes.`);
  }

  /** 415: the body is not JSON. */
  static unsupportedMediaType(): ApiError {
    return new ApiError(415, 'validation_error', 'The request body must be `application/json`, not compressed.');
  }

  /** 429. `headers`: `retry-after` and the `ratelimit-*` ones. */
  static rateLimited(headers: Readonly<Record<string, string>>): ApiError {
    return new ApiError(
      429,
      'rate_limit_exceeded',
      'Too many requests. Try again after `retry-after` seconds.',
      headers,
    );
  }

  /** 429: the account's quota of a day. `retryAfter`: seconds until the next one. */
  static dailyQuotaExceeded(limit: number, retryAfter: number): ApiError {
    return new ApiError(
      429,
      'daily_quota_exceeded',
      `The quota of this account is ${limit.toLocaleString('en')} recipients a day (UTC).`,
      { 'retry-after': String(retryAfter) },
    );
  }

  /** 429: the same for a month. */
  static monthlyQuotaExceeded(limit: number, retryAfter: number): ApiError {
    return new ApiError(
      429,
      'monthly_quota_exceeded',
      `The quota of this account is ${limit.toLocaleString('en')} recipients a month (UTC).`,
      { 'retry-after': String(retryAfter) },
    );
  }

  /** 500: a failure that no request causes. */
  static bug(): ApiError {
    return new ApiError(500, 'application_error', 'Something went wrong on our side. It was recorded.');
  }

  /** 503: the database cannot be reached. */
  static unavailable(): ApiError {
    return new ApiError(503, 'application_error', 'The database cannot be reached. Nothing was accepted.', {
      'retry-after': '5',
    });
  }

  /** 503: the database seems to be up, but does not answer in time. */
  static overloaded(): ApiError {
    return new ApiError(503, 'application_error', 'The database does not answer in time. Nothing was accepted.', {
      'retry-after': '5',
    });
  }

  /** 503: a policy of the host does not answer in time. */
  static undecided(): ApiError {
    return new ApiError(503, 'application_error', 'A policy does not answer in time. Nothing was accepted.', {
      'retry-after': '5',
    });
  }

  /** 503: the connection to the database broke at the wrong moment. */
  static outcomeUnknown(): ApiError {
    return new ApiError(
      503,
      'application_error',
      'The connection to the database was lost. It is not known whether the email was accepted: asking again with the ' +
        'same `Idempotency-Key` is safe.',
      { 'retry-after': '5' },
    );
  }

  /** 503: another transaction holds a lock that the request needs. */
  static held(what: keyof typeof HOLDERS): ApiError {
    return new ApiError(503, 'application_error', `${HOLDERS[what]} Nothing was accepted.`, { 'retry-after': '5' });
  }

  /** 503: another transaction holds the lock of an object. */
  static locked(): ApiError {
    return new ApiError(503, 'application_error', 'Another request is changing this. Nothing was changed.', {
      'retry-after': '5',
    });
  }

  /** 503: the connection to the database broke when a change was being committed. */
  static changeUnknown(): ApiError {
    return new ApiError(
      503,
      'application_error',
      'The connection to the database was lost. It is not known whether the change was made: asking again is safe.',
      { 'retry-after': '5' },
    );
  }

  /** 503: no room for another large request. */
  static busy(): ApiError {
    return new ApiError(503, 'application_error', 'Too many large requests at once. Nothing was accepted.', {
      'retry-after': '5',
    });
  }
}

const HOLDERS = {
  key: 'Another request with the same `Idempotency-Key` is not finished yet.',
  message_id: 'Another request with the same `message_id` is not finished yet.',
  account: 'The database is too busy.',
  content: 'Another request with the same attachment is not finished yet.',
} as const;
