import { ApiError } from '../../shared/errors/api-error.js';

/** 401: a request that does not prove to be the relay's. @param challenge of RFC 9110, section 11.6.1 */
export function unproven(message: string, challenge = 'Signature'): ApiError {
  return new ApiError(401, 'invalid_access', message, { 'www-authenticate': challenge });
}
