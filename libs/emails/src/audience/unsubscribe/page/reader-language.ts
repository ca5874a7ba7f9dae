import type { PageLanguage } from './unsubscribe-page.js';
import { ENGLISH, type UnsubscribeTexts } from './unsubscribe-texts.js';

const DEFAULT = 'en';
/** Longer ones say no more about a reader. Characters. */
const LONGEST = 500;
const RANGE = /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

/**
 * Texts in the language that a reader prefers (RFC 9110 section 12.5.4): of each of the reader's languages the one with
 * the same tag, else the first with the same language (lookup, RFC 4647 section 3.4). English without a match.
 *
 * @param header `Accept-Language`
 */
export function readerLanguage(
  header: string | undefined,
  texts: Readonly<Record<string, UnsubscribeTexts>> = {},
): PageLanguage {
  const given: Readonly<Record<string, UnsubscribeTexts>> = { [DEFAULT]: ENGLISH, ...texts };
  for (const range of rangesOf(header ?? '')) {
    const language = matching(range, Object.keys(given));
    const found = language === undefined ? undefined : given[language];
    if (language !== undefined && found) return { language, texts: found };
  }
  return { language: DEFAULT, texts: given[DEFAULT] ?? ENGLISH };
}

/** Tags in lower case, the most wanted first. */
function rangesOf(header: string): string[] {
  const ranges = header
    .slice(0, LONGEST)
    .split(',')
    .flatMap((entry) => {
      const [, tag = '', quality = '1'] = RANGE.exec(entry) ?? [];
      return tag === '' || Number(quality) === 0 ? [] : [{ tag: tag.toLowerCase(), quality: Number(quality) }];
    });
  return ranges.toSorted((one, other) => other.quality - one.quality).map(({ tag }) => tag);
}

function matching(range: string, languages: readonly string[]): string | undefined {
  const exact = languages.find((language) => language.toLowerCase() === range);
  return exact ?? languages.find((language) => primaryOf(language) === primaryOf(range));
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split('-', 1)[0] ?? '';
}
