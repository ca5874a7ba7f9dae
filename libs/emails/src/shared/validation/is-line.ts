/**
 * Control characters, bidirectional controls (Unicode UAX #9, section 2), line separators, halves of a surrogate pair.
 */
const REFUSED = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/u;

/** One line of text, from 1 to `max` characters, without control characters. */
export function isLine(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && [...value].length <= max && !REFUSED.test(value);
}
