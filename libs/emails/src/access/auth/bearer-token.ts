import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../shared/errors/api-error.js';
import { TOKEN_PATTERN } from './token.js';

const HEADER = 'authorization';

/**
 * The token of `Authorization: Bearer <token>` (RFC 6750 section 2.1), the scheme matched without regard to case.
 *
 * @throws ApiError `missing_api_key` when no bearer token was sent; `invalid_api_key` when the token is malformed, or
 * when there are several headers, of which Node would silently take the first
 */
export function bearerToken(request: IncomingMessage): string {
  const { authorization } = request.headers;
  const [, rest] = /^Bearer(?: +(.*))?$/i.exec(authorization ?? '') ?? [];
  if (!rest) {
    throw ApiError.missingApiKey();
  }
  if (!TOKEN_PATTERN.test(rest) || isRepeated(request.rawHeaders)) {
    throw ApiError.invalidApiKey();
  }
  return rest;
}

/** `rawHeaders` has names at even indexes. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === HEADER.length && name.toLowerCase() === HEADER) {
      count += 1;
    }
  }
  return count > 1;
}
