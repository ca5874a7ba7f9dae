import { ApiError } from 'nestjs-emails';

/** @throws ApiError 404 */
export function refuseUnknownContact(): never {
  throw ApiError.notFound('There is no contact with this id or email.');
}
