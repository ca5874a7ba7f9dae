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

/**
 * The text of a reply without words that an email contains, in any order: a server may quote its addresses, its subject
 * and its header fields, and their author must not speak for the server.
 */
export function withoutWordsOf(email: readonly string[], text: string): string {
  const own = new Set(email.flatMap((words) => words.toLowerCase().match(WORD) ?? []));
  return text.replace(WORD, (word) => (own.has(word.toLowerCase()) ? GAP : word));
}
