/*
 * Rules for text from a stranger. Every test here is linear in the length of the text.
 */

/**
 * False when the text holds half of a surrogate pair. Such text has no UTF-8 form: the stored or sent text would differ
 * from the given one (Unicode 17, section 3.8).
 */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** True for any control character: C0 with tab, CR, LF and NUL, DEL, and C1 (Unicode category Cc). */
export function hasControl(text: string): boolean {
  return CONTROL.test(text);
}

/**
 * True for a character that only steers the direction of text (Unicode UAX #9, property Bidi_Control): it can make
 * `gpj.exe` look like `exe.jpg`.
 */
export function hasBidiControl(text: string): boolean {
  return BIDI_CONTROL.test(text);
}

/** True for U+2028 and U+2029, which some readers treat as a line break. */
export function hasLineSeparator(text: string): boolean {
  return LINE_SEPARATOR.test(text);
}

/** True for text on one line in reading order, without characters of the rules above. */
export function isOneCleanLine(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || !UNCLEAN.test(text);
}

/** True for RFC 2047 section 2: readers decode it even where it is plain text, and would show something else. */
export function hasEncodedWord(text: string): boolean {
  return ENCODED_WORD.test(text);
}

/**
 * True when the text has more than `max` characters (code points, of which one takes up to two UTF-16 units). Does not
 * split a text that is certainly longer: the characters of 50 MB would fill half a gigabyte.
 */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > 2 * max || [...text].length > max;
}

const ENCODED_WORD = /=\?[^?]*\?[bq]\?/i;
const CONTROL = /\p{Cc}/u;
const BIDI_CONTROL = /\p{Bidi_Control}/u;
const LINE_SEPARATOR = /[\u2028\u2029]/u;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const UNCLEAN = /[\p{Surrogate}\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
