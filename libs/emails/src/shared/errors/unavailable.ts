import { ApiError } from './api-error.js';
import { isDatabaseBusy } from './database-errors.js';

/** The refusal for a failure of the database that may be over a moment later. */
export function unavailable(error: unknown): ApiError {
  return isDatabaseBusy(error) ? ApiError.overloaded() : ApiError.unavailable();
}
