/** A letter or digit of any script, and what follows it: letters, digits and the marks of scripts that write vowels as marks. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const ASCII_WORD = /[a-z0-9]+/g;
const ASCII = /^[\0-\x7f]*$/;

/** Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, after a decomposition. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f]/g;

/** Letters that Unicode does not decompose, in the spelling of those who cannot type them. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/**
 * The words of a text in their order: letters and digits, split at every other character, without case and accents. Two
 * spellings of a word are equal (NFKD, and a table for letters such as `ø`).
 *
 * @returns well-formed texts, however malformed the text is
 */
export function wordsOf(text: string): string[] {
  // Three times as fast.
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  const decomposed = text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  return decomposed.replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter).match(WORD) ?? [];
}
