import { ApiError } from '../../shared/errors/api-error.js';
import { isDatabaseUnavailable } from '../../shared/errors/database-errors.js';

/** What the database says. @throws ApiError 503 when it cannot be asked */
export async function orUnavailable<T>(lookup: Promise<T>): Promise<T> {
  try {
    return await lookup;
  } catch (error) {
    throw isDatabaseUnavailable(error) ? ApiError.unavailable() : error;
  }
}
