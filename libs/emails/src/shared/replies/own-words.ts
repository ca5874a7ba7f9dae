/** Addresses, with quoted local parts too (RFC 5321 section 4.1.2), and links: their words say nothing. */
export const NAMES =
  /<[^<>]{0,320}@[^<>\s]{1,255}>|<[^<>\s]{1,320}>|"(?:[^"\\]|\\.){1,128}"@[^\s<>()]{1,255}|\bhttps?:\S+|[^\s<>():;,]{1,80}@[^\s<>()]{1,255}/gi;

const WORD = /[\p{L}\p{M}]+/gu;
const ANY_LETTER = /\p{L}/u;
/** In place of a word, so that the words around it do not become a phrase. */
const GAP = '*';

/** The text of a reply without addresses and links, which it may quote. */
export function withoutNames(text: string): string {
  return text.replace(NAMES, ' ');
}

/** The words of these parts of a message, in lower case. */
export function wordsOf(parts: readonly string[]): ReadonlySet<string> {
  return new Set(parts.flatMap(lowerWords));
}

/** The text of a reply without words of a message, in any order: a server may quote it, and its author must not speak for the server. */
export function withoutWords(words: ReadonlySet<string>, text: string): string {
  return text.replace(WORD, (word) => (words.has(word.toLowerCase()) ? GAP : word));
}

/** These parts of a message as phrases: their words in lower case, without what stands between them. */
export function phrasesOf(parts: readonly string[]): ReadonlySet<string> {
  return new Set(parts.map((part) => lowerWords(part).join(' ')).filter((phrase) => phrase !== ''));
}

/**
 * The text of a reply without phrases of a message. They must stand behind words of the server: at the beginning of a
 * reply the server speaks for itself.
 *
 * @param counts false for a quote that stays
 */
export function withoutQuotes(phrases: ReadonlySet<string>, text: string, counts: (quote: string) => boolean): string {
  const said = ` ${lowerWords(text).join(' ')} `;
  let rest = text;
  for (const phrase of phrases) {
    if (!said.includes(` ${phrase} `)) continue;
    const words = phrase.split(' ').join('[^\\p{L}\\p{M}]+');
    const pattern = new RegExp(`(?<![\\p{L}\\p{M}])${words}(?![\\p{L}\\p{M}])`, 'giu');
    rest = rest.replace(pattern, (quote, at) => (ANY_LETTER.test(rest.slice(0, at)) && counts(quote) ? GAP : quote));
  }
  return rest;
}

function lowerWords(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
