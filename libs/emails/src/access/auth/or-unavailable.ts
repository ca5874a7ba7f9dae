import { isDatabaseUnavailable } from '../../shared/errors/database-errors.js';
import { unavailable } from '../../shared/errors/unavailable.js';

/** Passes the database's answer on. @throws ApiError 503 when it cannot be asked */
export async function orUnavailable<T>(lookup: Promise<T>): Promise<T> {
  try {
    return await lookup;
  } catch (error) {
    throw isDatabaseUnavailable(error) ? unavailable(error) : error;
  }
}
