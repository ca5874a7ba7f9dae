/** Names of the contract's error table. */
export type ApiErrorName =
  | 'invalid_idempotency_key'
  | 'validation_error'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'restricted_api_key'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid_idempotent_request'
  | 'missing_required_field'
  | 'invalid_attachment'
  | 'rate_limit_exceeded'
  | 'application_error'
  | 'service_unavailable';

export interface ApiErrorBody {
  statusCode: number;
  name: ApiErrorName;
  message: string;
}

/**
 * A refusal in the contract's shape (section 1). The message names the field and says what would be right; it never
 * carries a secret, a body, SQL or another account's data.
 */
export class ApiError extends Error {
  constructor(
    readonly statusCode: number,
    override readonly name: ApiErrorName,
    message: string,
    /** Response headers that belong to the refusal. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  toBody(): ApiErrorBody {
    return { statusCode: this.statusCode, name: this.name, message: this.message };
  }

  static malformed(message: string): ApiError {
    return new ApiError(400, 'validation_error', message);
  }

  static invalid(message: string): ApiError {
    return new ApiError(422, 'validation_error', message);
  }

  static unstorable(): ApiError {
    return ApiError.invalid('The request holds a value that cannot be stored.');
  }

  static missingField(field: string): ApiError {
    return new ApiError(422, 'missing_required_field', `Missing \`${field}\` field.`);
  }

  static invalidAttachment(message: string): ApiError {
    return new ApiError(422, 'invalid_attachment', message);
  }

  static invalidIdempotencyKey(): ApiError {
    return new ApiError(
      400,
      'invalid_idempotency_key',
      'The `Idempotency-Key` header must have between 1 and 256 characters.',
    );
  }

  static idempotencyConflict(): ApiError {
    return new ApiError(
      409,
      'invalid_idempotent_request',
      'This `Idempotency-Key` was used with a different request. Use a new key for a new request.',
    );
  }

  static missingApiKey(): ApiError {
    return new ApiError(401, 'missing_api_key', 'Missing API key. Send it as `Authorization: Bearer <token>`.', {
      'www-authenticate': 'Bearer',
    });
  }

  static invalidApiKey(): ApiError {
    return new ApiError(401, 'invalid_api_key', 'The API key is unknown, malformed or revoked.', {
      'www-authenticate': 'Bearer',
    });
  }

  static restrictedApiKey(): ApiError {
    return new ApiError(401, 'restricted_api_key', 'This API key may only send emails.', {
      'www-authenticate': 'Bearer',
    });
  }

  static notFound(message = 'There is nothing at this path.'): ApiError {
    return new ApiError(404, 'not_found', message);
  }

  static methodNotAllowed(allowed: readonly string[]): ApiError {
    const allow = allowed.join(', ');
    return new ApiError(405, 'method_not_allowed', `This path answers to ${allow}.`, { allow });
  }

  static tooLarge(limit: number): ApiError {
    return new ApiError(413, 'validation_error', `The request body is larger than ${limit} bytes.`);
  }

  static unsupportedMediaType(): ApiError {
    return new ApiError(415, 'validation_error', 'The request body must be `application/json`, not compressed.');
  }

  static rateLimited(headers: Readonly<Record<string, string>>): ApiError {
    return new ApiError(
      429,
      'rate_limit_exceeded',
      'Too many requests. Try again after `retry-after` seconds.',
      headers,
    );
  }

  static bug(): ApiError {
    return new ApiError(500, 'application_error', 'Something went wrong on our side. It was recorded.');
  }

  static unavailable(): ApiError {
    return new ApiError(503, 'service_unavailable', 'The database cannot be reached. Nothing was accepted.', {
      'retry-after': '5',
    });
  }

  static busy(): ApiError {
    return new ApiError(503, 'service_unavailable', 'Too many large requests at once. Nothing was accepted.', {
      'retry-after': '5',
    });
  }
}
