import type { ReaderState } from '../choices/reader-topic.js';
import type { UnsubscribeTexts } from './unsubscribe-texts.js';

/** The change that a page answers. */
export type ReaderChange =
  | { kind: 'subscribed' | 'unsubscribed'; topic: string }
  | { kind: 'unsubscribed_from_all' }
  /** The topic does not exist any more, or cannot be chosen by this reader. */
  | { kind: 'not_changed' };

/** Language of a page, and its texts. */
export interface PageLanguage {
  /** The tag of the language (RFC 5646): one of the option `texts`, or `en`. */
  language: string;
  texts: UnsubscribeTexts;
}

/** Data of the page of choices. */
export interface UnsubscribePageData extends ReaderState, PageLanguage {
  /** The account whose emails they are. */
  accountId: string;
  /** The reader's address. A forwarded email has the link, too: the page of the library shows the address masked. */
  address: string;
  /** Null for a page that was only opened. */
  change: ReaderChange | null;
}

/**
 * Makes the page of choices, in place of the library's. Its forms send one of these to the page's own address, by POST and as
 * `application/x-www-form-urlencoded`: `topic` (an id) with `choice` (`opt_in` or `opt_out`), or `all=1`. A browser runs
 * no script of it, sends its forms nowhere else, and shows it in no frame; styles and images are allowed.
 *
 * @example
 * ```ts
 * const page: UnsubscribePage = {
 *   render: ({ texts, topics }) => `<h1>${texts.title}</h1>
 * <form method="post">
 * ${topics.map(({ id, name }) => `<button name="topic" value="${id}">${name}</button>`).join('')}
 * </form>`,
 * };
 * const features = [audience({ unsubscribe: { page } })];
 * ```
 */
export interface UnsubscribePage {
  /** The html of the page. A rejection is answered with 500, after the choice was written. */
  render(data: UnsubscribePageData): string | Promise<string>;

  /** The html of the page for an invalid link, which is answered with 404. Default: that of the library. */
  renderInvalid?(language: PageLanguage): string | Promise<string>;
}
