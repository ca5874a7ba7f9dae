import { ApiError } from '../errors/api-error.js';
import { isUniqueViolation } from '../errors/database-errors.js';

/**
 * The outcome of a write whose values must be unique.
 *
 * @throws ApiError 422 with `message` when a value is taken
 */
export async function refuseTaken<T>(write: Promise<T>, message: string): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isUniqueViolation(error) ? ApiError.invalid(message) : error;
  }
}
