import { ApiError } from '../../../shared/errors/api-error.js';
import { LIMITS } from '../../../shared/limits.js';

/** @throws ApiError 400 for an invalid idempotency key (contract, section 2.4) */
export function checkKey(key: string): void {
  if (key === '' || key.length > LIMITS.idempotencyKey.max) throw ApiError.invalidIdempotencyKey();
}
