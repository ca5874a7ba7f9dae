import { ApiError } from '../errors/api-error.js';
import { text } from './rule.js';

/** The rule of a field of a change that clients repeat from the path, such as `id`: what it says is for `checkRepeated`. */
export const repeated = text;

/** What a change repeats of the path, by the name of the field. Null and undefined: nothing. */
export type Repeated = Readonly<Record<string, string | null | undefined>>;

/** Whether there is anything to compare. */
export const repeatsAny = (said: Repeated): boolean => Object.values(said).some((text) => typeof text === 'string');

/**
 * @param isNamed whether a text names what the path names
 * @throws ApiError 422 for the first field that names something else
 */
export function checkRepeated(said: Repeated, isNamed: (text: string) => boolean): void {
  for (const [field, name] of Object.entries(said)) {
    if (typeof name === 'string' && !isNamed(name)) {
      throw ApiError.invalid(`\`${field}\` cannot be changed: it must be what the path says, or absent.`);
    }
  }
}

/** For ids, whose letter case does not count. */
export const isSameId =
  (id: string) =>
  (text: string): boolean =>
    text.toLowerCase() === id.toLowerCase();
