import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { isSending } from '../../../shared/http/refuse.js';
import { OTHER_PAGE_POLICY, PLAIN_PAGE_POLICY, PlainPage } from '../page/plain-page.js';
import { readerLanguage } from '../page/reader-language.js';
import type { PageLanguage, UnsubscribePage, UnsubscribePageData } from '../page/unsubscribe-page.js';
import { UNSUBSCRIBE_OPTIONS, type UnsubscribeOptions } from '../unsubscribe.options.js';

/**
 * Headers of every answer: no cache keeps it, no search engine finds it, no other site learns its address or shows it in
 * a frame.
 */
const HEADERS = {
  'cache-control': 'no-store, no-transform',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

const plain = new PlainPage();

/** Writes the pages of unsubscribe links, in the reader's language. */
@Injectable()
export class PageWriter {
  constructor(@Inject(UNSUBSCRIBE_OPTIONS) private readonly options: UnsubscribeOptions) {}

  prepare(response: ServerResponse): void {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    response.setHeader('content-security-policy', PLAIN_PAGE_POLICY);
  }

  async write(
    data: Omit<UnsubscribePageData, keyof PageLanguage>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { page = plain } = this.options;
    await this.answer(response, 200, page, () => this.render(data, request.headers['accept-language']));
  }

  /** The html of a page. @param language `Accept-Language` */
  async render(data: Omit<UnsubscribePageData, keyof PageLanguage>, language: string | undefined): Promise<string> {
    const { page = plain, texts } = this.options;
    return page.render({ ...data, ...readerLanguage(language, texts) });
  }

  /** 404: forged, cut off, or of a secret that is no longer accepted. */
  async writeInvalid(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { page } = this.options;
    const language = this.languageOf(request);
    // The body, if there is one, stays unread.
    if (isSending(request)) response.setHeader('connection', 'close');
    const renders = page?.renderInvalid ? page : plain;
    await this.answer(
      response,
      404,
      renders,
      (from) => from.renderInvalid?.(language) ?? plain.renderInvalid(language),
    );
  }

  private languageOf({ headers }: IncomingMessage): PageLanguage {
    return readerLanguage(headers['accept-language'], this.options.texts);
  }

  private async answer(
    response: ServerResponse,
    status: number,
    page: UnsubscribePage,
    render: (page: UnsubscribePage) => string | Promise<string>,
  ): Promise<void> {
    const html = await render(page);
    if (page !== plain) response.setHeader('content-security-policy', OTHER_PAGE_POLICY);
    response.statusCode = status;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-length', Buffer.byteLength(html));
    response.setHeader('vary', 'Accept-Language');
    response.end(html);
  }
}
