import { ApiError } from '../errors/api-error.js';

/** The 400 of a body that is not a JSON text (RFC 8259). */
export function notJson(): ApiError {
  return ApiError.malformed('The request body is not valid JSON.');
}

/** The 400 of a body with bytes that are not UTF-8 (RFC 8259, section 8.1). */
export function notUtf8(): ApiError {
  return ApiError.malformed('The request body is not valid UTF-8.');
}
