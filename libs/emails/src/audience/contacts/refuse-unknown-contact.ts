import { ApiError } from '../../shared/errors/api-error.js';

/** @throws ApiError 404 */
export function refuseUnknownContact(): never {
  throw ApiError.notFound('There is no contact with this id or email.');
}
