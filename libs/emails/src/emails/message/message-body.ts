import type { OwedEmail } from '../storage/delivery.repository.js';
import type { HtmlTexts } from './html-texts.js';
import { largeTextPart, type TextContent, type TextPart } from './text-part.js';

/** Characters and bytes of html and text that are encoded at once. */
const SMALL = 64_000;

type Content = Pick<OwedEmail, 'accountId' | 'html' | 'text' | 'contentSize'>;

/** Html and text of an email, as nodemailer is given them. */
export class MessageBody {
  /** For headers alone. */
  static readonly NONE = new MessageBody(true, {});

  private constructor(
    /** Whether it is texts alone. */
    readonly isSmall: boolean,
    private readonly content: { html?: TextPart; text?: TextPart },
  ) {}

  /** Rejects when html cannot be converted. */
  static async of(email: Content, texts: HtmlTexts): Promise<MessageBody> {
    const { html, text } = await textsOf(email, texts);
    const length = Math.max(email.contentSize, (html?.length ?? 0) + (text?.length ?? 0));
    const isSmall = length <= SMALL;
    const part = async (whole: string) => (isSmall ? () => whole : largeTextPart(whole));
    return new MessageBody(isSmall, {
      ...(html !== undefined && { html: await part(html) }),
      ...(text !== undefined && { text: await part(text) }),
    });
  }

  /** Once for each message that is composed. */
  get parts(): { html?: TextContent; text?: TextContent } {
    const { html, text } = this.content;
    return { ...(html && { html: html() }), ...(text && { text: text() }) };
  }
}

async function textsOf({ accountId, html, text }: Content, texts: HtmlTexts): Promise<Texts> {
  if (html === null) return { text: text ?? '' };
  if (text === '') return { html };
  return { html, text: text ?? (await texts.of(accountId, html)) };
}

interface Texts {
  html?: string;
  text?: string;
}
