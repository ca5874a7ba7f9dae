import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import MailComposer from 'nodemailer/lib/mail-composer';
import type MimeNode from 'nodemailer/lib/mime-node';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { type Mailbox, parseMailbox } from '../../shared/mailbox/mailbox.js';
import type { AttachmentStorage } from '../ports/attachment-storage.js';
import type { BuiltMessage } from '../ports/email-transport.js';
import type { OwedEmail } from '../storage/delivery.repository.js';
import { readStored } from '../storage/stored-content.js';
import { htmlToText } from './html-text.js';
import { writeSmallMessage } from './small-message.js';

/** Bytes of html and text that are encoded at once. */
const SMALL = 64_000;

/** What a message is made of. */
export type MessageContent = Pick<
  OwedEmail,
  | 'id'
  | 'messageId'
  | 'from'
  | 'to'
  | 'cc'
  | 'replyTo'
  | 'subject'
  | 'html'
  | 'text'
  | 'contentSize'
  | 'headers'
  | 'date'
  | 'attachments'
>;

/** Turns a stored email into the message on the wire (RFC 5322, RFC 2045). The same email gives the same message. */
@Injectable()
export class MessageBuilder {
  constructor(private readonly attachments: AttachmentStorage) {}

  /**
   * @param recipients envelope addresses of this attempt
   * @param hidden envelope addresses that must not show in any header
   */
  async build(
    email: MessageContent,
    recipients: readonly string[],
    hidden: ReadonlySet<string>,
  ): Promise<BuiltMessage> {
    const from = parseMailbox(email.from);
    const known = (mailboxes: string[]) =>
      mailboxes.map(parseMailbox).filter(({ envelope }) => envelope !== ERASED_ADDRESS);
    const visible = (mailboxes: string[]) => known(mailboxes).filter(({ envelope }) => !hidden.has(envelope));
    const to = visible(email.to);
    const cc = visible(email.cc);
    const replyTo = known(email.replyTo);
    const content = body(email);
    const compose = () => this.compose(email, { from, to, cc, replyTo }, content);
    return {
      from: from.envelope,
      recipients,
      needsSmtpUtf8:
        [from, ...to, ...cc, ...replyTo].some((mailbox) => mailbox.needsSmtpUtf8) ||
        !isAscii(recipients) ||
        // Most header fields are encoded, but message ids cannot be.
        (!isAscii(email.headers.map(([, value]) => value)) && !isAscii([compose().buildHeaders()])),
      raw:
        email.attachments.length > 0
          ? () => compose().createReadStream() as Readable
          : await write(compose(), email.contentSize),
    };
  }

  private compose(email: MessageContent, { from, to, cc, replyTo }: Visible, content: Body): MimeNode {
    const node = new MailComposer({
      from: header(from),
      to: to.map(header),
      cc: cc.map(header),
      replyTo: replyTo.map(header),
      subject: email.subject,
      messageId: email.messageId,
      baseBoundary: email.id,
      date: email.date,
      headers: email.headers.map(([key, value]) => ({ key, value })),
      ...content,
      attachments: email.attachments.map((attachment) => this.attach(attachment)),
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile();
    // Addresses are in their final form. nodemailer would turn the domain beside a UTF-8 local part into U-labels.
    Object.assign(node, { _normalizeAddress: (address: string) => address });
    for (const [name, text] of [['Subject', email.subject] as const, ...email.headers]) {
      if (isUnfoldable(text)) node.setHeader(name, { prepared: true, value: encodedWords(text) });
    }
    // RFC 5322 section 3.6.3: without visible recipients a message says so by an empty group.
    if (to.length === 0 && cc.length === 0) node.setHeader('To', 'undisclosed-recipients:;');
    return node;
  }

  private attach({ filename, contentType, contentId, contentHash, size }: OwedEmail['attachments'][number]) {
    return {
      content: readStored(this.attachments, contentHash, size),
      contentType,
      contentTransferEncoding: 'base64',
      filename: filename ?? false,
      contentDisposition: contentId ? 'inline' : 'attachment',
      ...(contentId && { cid: contentId }),
    } as const;
  }
}

interface Body {
  html?: string;
  text?: string;
}

/** The mailboxes that headers show. */
interface Visible {
  from: Mailbox;
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  replyTo: readonly Mailbox[];
}

function write(node: MimeNode, contentSize: number): Buffer | Promise<Buffer> {
  return contentSize <= SMALL ? writeSmallMessage(node) : node.build();
}

function header({ name, envelope }: Mailbox): { name: string; address: string } {
  return { name, address: envelope };
}

function body({ html, text }: MessageContent): Body {
  if (html === null) return { text: text ?? '' };
  if (text === '') return { html };
  return { html, text: text ?? htmlToText(html) };
}

/** True for a text that cannot stand on a line of 998 octets (RFC 5322 section 2.1.1) and has no space to break it at. */
function isUnfoldable(text: string): boolean {
  return text.length > 997 && /^[!-~]*$/.test(text);
}

/** ASCII as encoded words of at most 75 characters, which readers join again (RFC 2047 section 2). */
function encodedWords(text: string): string {
  const words = text.match(/.{1,45}/g) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

function isAscii(texts: readonly string[]): boolean {
  return texts.every((text) => Buffer.byteLength(text) === text.length);
}
