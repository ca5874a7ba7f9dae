import { ApiError } from '../errors/api-error.js';
import { isUniqueViolation } from '../errors/database-errors.js';

/**
 * Runs a write with unique values.
 *
 * @throws ApiError 422 with `message` when a value is in use
 */
export async function refuseDuplicate<T>(write: Promise<T>, message: string): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isUniqueViolation(error) ? ApiError.invalid(message) : error;
  }
}
