/**
 * Shows the page that a reader of a topic's emails comes to, without a reader. It is a provider where the host has
 * unsubscribe links.
 *
 * @example
 * ```ts
 * const preview = app.get(UnsubscribePreview, { strict: false });
 * const html = await preview.render('acme', topicId, request.headers['accept-language']);
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
