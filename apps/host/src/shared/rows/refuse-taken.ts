import { ApiError } from 'nestjs-emails';

const UNIQUE_VIOLATION = '23505';

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

function isUniqueViolation(error: unknown): boolean {
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  return (code ?? driverError?.code) === UNIQUE_VIOLATION;
}
