import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import type { HtmlTexts } from './html-texts.js';
import { largeTextPart, type TextContent, type TextPart } from './text-part.js';

/** Limit of html and text that are encoded at once, in characters and bytes. */
const SMALL = 64_000;
/** The same that is encoded in at most a few milliseconds. */
const TINY = 16_000;

type Content = Pick<PendingEmail, 'accountId' | 'html' | 'text' | 'contentSize'>;

/** Html and text of an email in nodemailer's form. */
export class MessageBody {
  /** For a message of headers only. */
  static readonly NONE = new MessageBody(true, false, {});

  private constructor(
    /** True if all parts are plain strings. */
    readonly isSmall: boolean,
    /** True if their encoding takes a turn of the event loop. */
    readonly needsTurn: boolean,
    private readonly content: { html?: TextPart; text?: TextPart },
  ) {}

  /** Rejects when html cannot be converted. */
  static async of(email: Content, texts: HtmlTexts): Promise<MessageBody> {
    const { html, text } = await textsOf(email, texts);
    const length = Math.max(email.contentSize, (html?.length ?? 0) + (text?.length ?? 0));
    const isSmall = length <= SMALL;
    const part = async (whole: string) => (isSmall ? () => whole : largeTextPart(whole));
    return new MessageBody(isSmall, isSmall && length > TINY, {
      ...(html !== undefined && { html: await part(html) }),
      ...(text !== undefined && { text: await part(text) }),
    });
  }

  /** Called once for each message that is composed. */
  get parts(): { html?: TextContent; text?: TextContent } {
    const { html, text } = this.content;
    return { ...(html && { html: html() }), ...(text && { text: text() }) };
  }
}

async function textsOf({ accountId, html, text }: Content, texts: HtmlTexts): Promise<Texts> {
  if (html === null) return { text: text ?? '' };
  if (text === '') return { html };
  const shown = text ?? (await texts.of(accountId, html));
  return shown === '' ? { html } : { html, text: shown };
}

interface Texts {
  html?: string;
  text?: string;
}
