import { both, group, isObject, oneOf, port, type Rule, required, text } from '../../shared/options/rules.js';
import type { UnsubscribePage } from './page/unsubscribe-page.js';
import { TEXT_NAMES, type UnsubscribeTexts } from './page/unsubscribe-texts.js';

/** Injection token of the options of unsubscribe links. */
export const UNSUBSCRIBE_OPTIONS = Symbol('nestjs-emails unsubscribe options');

/** Options of unsubscribe links and their page. */
export interface UnsubscribeOptions {
  /** Makes the page of choices. Default: a plain page of the library. */
  page?: UnsubscribePage;

  /**
   * Texts of the page by language tag (RFC 5646), such as `de` or `pt-BR`; the reader's browser chooses (`Accept-Language`). `en`
   * takes the place of the English ones, which are the default.
   */
  texts?: Readonly<Record<string, UnsubscribeTexts>>;
}

const TAG = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;

const texts = group<UnsubscribeTexts>({
  ...(Object.fromEntries(
    TEXT_NAMES.map((name) => [name, required(text, 'a page has no texts of another language')]),
  ) as Record<Exclude<keyof UnsubscribeTexts, 'direction'>, Rule>),
  direction: oneOf('ltr', 'rtl'),
});

const isByLanguage: Rule = (path, value) =>
  isObject(value) ? [] : [`\`${path}\` must be an object with texts for each language.`];

const byLanguage: Rule = both(isByLanguage, (path, value) =>
  Object.entries(value as Record<string, unknown>).flatMap(([language, one]) =>
    TAG.test(language)
      ? texts(`${path}.${language}`, one)
      : [`\`${path}\` must have tags of languages as keys, such as \`de\` (got \`${language.slice(0, 60)}\`).`],
  ),
);

/** The rule of `unsubscribe`. */
export const unsubscribeRule: Rule = group<UnsubscribeOptions>({
  page: port('a page of choices', ['render'], ['renderInvalid']),
  texts: byLanguage,
});
