import { ApiError } from '../errors/api-error.js';

/** Fields of a change that repeat its path, by name. Null and undefined: not repeated. */
export type Repeated = Readonly<Record<string, string | null | undefined>>;

/** True if any field has to be compared. */
export const repeatsAny = (repeated: Repeated): boolean =>
  Object.values(repeated).some((text) => typeof text === 'string');

/**
 * @param isNamed whether a text names the object of the path
 * @throws ApiError 422 for the first field that names another object
 */
export function checkRepeated(repeated: Repeated, isNamed: (text: string) => boolean): void {
  for (const [field, name] of Object.entries(repeated)) {
    if (typeof name === 'string' && !isNamed(name)) {
      throw ApiError.invalid(`\`${field}\` cannot be changed: it must be equal to the path, or absent.`);
    }
  }
}

/** Compares ids without letter case. */
export const isSameId =
  (id: string) =>
  (text: string): boolean =>
    text.toLowerCase() === id.toLowerCase();
