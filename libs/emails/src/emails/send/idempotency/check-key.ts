import { ApiError } from '../../../shared/errors/api-error.js';

const MAX_KEY = 256;

/** @throws ApiError 400 when it is no idempotency key (contract, section 2.4) */
export function checkKey(key: string): void {
  if (key === '' || key.length > MAX_KEY) throw ApiError.invalidIdempotencyKey();
}
