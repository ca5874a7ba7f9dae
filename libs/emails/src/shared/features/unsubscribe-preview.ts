/**
 * Shows the page that a reader of a topic's emails comes to, without a reader. It is a provider where the host has
 * unsubscribe links.
 *
 * @example
 * ```ts
 * import { UnsubscribePreview } from 'nestjs-emails';
 *
 * const preview = app.get(UnsubscribePreview, { strict: false });
 * const html = await preview.render('acme', '0b7c3a52-6f0e-4a51-9d0c-2f3c1a5b7e11', 'de-AT');
 * ```
 */
export abstract class UnsubscribePreview {
  /**
   * The html of the page, for somebody who has made no choice. Its forms have no address to go to.
   *
   * @param language `Accept-Language` of the request. Default: English
   * @returns undefined if the account has no such topic
   */
  abstract render(accountId: string, topicId: string, language?: string): Promise<string | undefined>;
}
