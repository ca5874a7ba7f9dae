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
 * Both are written by strangers, and their phrases may repeat a word any number of times: an expression for each phrase
 * took seconds.
 *
 * @param counts false for a quote that stays
 */
export function withoutQuotes(phrases: ReadonlySet<string>, text: string, counts: (quote: string) => boolean): string {
  const words = wordsIn(text);
  let said = saidOf(words);
  for (const phrase of phrases) {
    const quoted = ` ${phrase} `;
    let next = 0;
    for (let at = said.text.indexOf(quoted); at >= 0; at = said.text.indexOf(quoted, next)) {
      next = at + quoted.length - 1;
      const first = said.starts.get(at) ?? 0;
      const last = said.starts.get(next) ?? words.length;
      const quote = text.slice(words[first]?.start, words[last - 1]?.end);
      const isBehindOthers = words.findIndex(({ lower }) => lower !== GAP) < first;
      if (!isBehindOthers || !counts(quote)) continue;
      for (const word of words.slice(first, last)) word.lower = GAP;
      said = saidOf(words);
      next = at;
    }
  }
  return withGaps(text, words);
}

interface SaidWord {
  /** In lower case; a gap in place of a quoted word. */
  lower: string;
  start: number;
  end: number;
}

function wordsIn(text: string): SaidWord[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    lower: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}

/** The words with one blank around each, and their numbers by the offsets of the blanks before them. */
function saidOf(words: readonly SaidWord[]): { text: string; starts: ReadonlyMap<number, number> } {
  const starts = new Map<number, number>();
  let text = ' ';
  for (const [number, { lower }] of words.entries()) {
    starts.set(text.length - 1, number);
    text += `${lower} `;
  }
  return { text, starts };
}

function withGaps(text: string, words: readonly SaidWord[]): string {
  let rest = '';
  let end = 0;
  for (const word of words.filter(({ lower }) => lower === GAP)) {
    rest += text.slice(end, word.start) + GAP;
    end = word.end;
  }
  return rest + text.slice(end);
}

function lowerWords(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
