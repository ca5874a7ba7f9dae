/** Addresses, with quoted local parts too (RFC 5321 section 4.1.2), and links: their words say nothing. */
export const NAMES =
  /<[^<>]{0,320}@[^<>\s]{1,255}>|<[^<>\s]{1,320}>|"(?:[^"\\]|\\.){1,128}"@[^\s<>()]{1,255}|\bhttps?:\S+|[^\s<>():;,]{1,80}@[^\s<>()]{1,255}/gi;

const WORD = /[\p{L}\p{M}]+/gu;
/** In place of a word, so that the words around it do not become a phrase. */
const GAP = '*';

/** The text of a reply without addresses and links, which it may quote. */
export function withoutNames(text: string): string {
  return text.replace(NAMES, ' ');
}

/** The words of these parts of a message, in lower case. */
export function wordsOf(parts: readonly string[]): ReadonlySet<string> {
  return new Set(parts.flatMap((part) => part.toLowerCase().match(WORD) ?? []));
}

/** The text of a reply without words of a message, in any order: a server may quote it, and its author must not speak for the server. */
export function withoutWords(words: ReadonlySet<string>, text: string): string {
  return text.replace(WORD, (word) => (words.has(word.toLowerCase()) ? GAP : word));
}
