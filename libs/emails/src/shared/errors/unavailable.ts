import { ApiError } from './api-error.js';
import { isDatabaseBusy } from './database-errors.js';

/** The refusal for a temporary failure of the database. */
export function unavailable(error: unknown): ApiError {
  return isDatabaseBusy(error) ? ApiError.overloaded() : ApiError.unavailable();
}
