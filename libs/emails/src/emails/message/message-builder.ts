import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import MailComposer from 'nodemailer/lib/mail-composer';
import type MimeNode from 'nodemailer/lib/mime-node';
import { inSlices } from '../../shared/bytes/in-slices.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { type Mailbox, parseMailbox } from '../../shared/mailbox/mailbox.js';
import { FairSemaphore } from '../../shared/work/fair-semaphore.js';
import { nextTurn } from '../../shared/work/slices.js';
import type { AttachmentStorage } from '../ports/attachment-storage.js';
import type { BuiltMessage } from '../ports/email-transport.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import { readStored } from '../storage/keep/stored-content.js';
import { type AttachmentEncoding, encodingOf, mustStandAsIs } from './attachment-encoding.js';
import { headerMailbox } from './header-mailbox.js';
import { HtmlTexts } from './html-texts.js';
import { lineDataOf } from './line-data.js';
import { MessageBody } from './message-body.js';
import { hasLargeHead } from './message-cost.js';
import { writeSmallMessage } from './small-message.js';

/** Type of a content that is saved and not shown (RFC 2046 section 4.5.1). */
const UNKNOWN_TYPE = 'application/octet-stream';
/** Headers with mailboxes. nodemailer gets them in their final form. */
const MAILBOXES = ['From', 'To', 'Cc', 'Reply-To'];

type Attachment = PendingEmail['attachments'][number];

/** The parts of an email that its message needs. */
export type MessageContent = Pick<
  PendingEmail,
  | 'id'
  | 'accountId'
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
  | 'recipients'
  | 'topicId'
>;

/** A message without its recipients. */
interface Addressable extends Omit<BuiltMessage, 'recipients'> {
  hidden: ReadonlySet<string>;
}

/** Builds the message on the wire from a stored email (RFC 5322, RFC 2045). The same email gives the same message. */
@Injectable()
export class MessageBuilder {
  /** Small messages of emails that are sent as one message for each recipient. */
  private readonly built = new WeakMap<MessageContent, Addressable>();
  /** Large heads are composed one at a time, each in a turn of the event loop of its own. */
  private readonly heads = new FairSemaphore(1);

  constructor(
    private readonly attachments: AttachmentStorage,
    private readonly texts = new HtmlTexts(),
  ) {}

  /**
   * @param recipients envelope addresses of this attempt
   * @param hidden envelope addresses that must not appear in any header
   */
  async build(
    email: MessageContent,
    recipients: readonly string[],
    hidden: ReadonlySet<string>,
  ): Promise<BuiltMessage> {
    const isOneOfSeveral = recipients.length === 1 && email.recipients.length > 1;
    const before = isOneOfSeveral ? this.built.get(email) : undefined;
    const built = before && sameAddresses(before.hidden, hidden) ? before : await this.buildAddressable(email, hidden);
    // Larger ones are built again: they would be in memory between the messages.
    if (isOneOfSeveral && Buffer.isBuffer(built.raw)) this.built.set(email, built);
    const { hidden: _, ...message } = built;
    return { ...message, recipients, needsSmtpUtf8: built.needsSmtpUtf8 || !isAscii(recipients) };
  }

  private async buildAddressable(email: MessageContent, hidden: ReadonlySet<string>): Promise<Addressable> {
    const from = parseMailbox(email.from);
    const known = (mailboxes: string[]) =>
      mailboxes.map(parseMailbox).filter(({ envelope }) => envelope !== ERASED_ADDRESS);
    const visible = (mailboxes: string[]) => known(mailboxes).filter(({ envelope }) => !hidden.has(envelope));
    const shown = { from, to: visible(email.to), cc: visible(email.cc), replyTo: known(email.replyTo) };
    const { head, ...content } = await this.content(email, shown);
    return {
      hidden,
      from: from.envelope,
      needsSmtpUtf8:
        [from, ...shown.to, ...shown.cc, ...shown.replyTo].some((mailbox) => mailbox.needsSmtpUtf8) ||
        // Most header fields are encoded, but message ids cannot be.
        (hasOtherHeaders(email) && !isAscii([head])),
      ...content,
    };
  }

  private async content(email: MessageContent, shown: Visible): Promise<Content & { head: string }> {
    const body = await MessageBody.of(email, this.texts);
    if (email.attachments.length === 0) {
      if (body.needsTurn) await nextTurn();
      const isOrdinary = !hasOtherHeaders(email) && !hasLargeHead(email);
      const { node, head } = isOrdinary
        ? { node: this.compose(email, shown, body, []), head: '' }
        : await this.composeOnce(email, shown, body);
      return { head, ...(body.isSmall ? { raw: writeSmallMessage(node) } : await inPieces(node.createReadStream())) };
    }
    const { head } = hasOtherHeaders(email) ? await this.composeOnce(email, shown, MessageBody.NONE) : { head: '' };
    const encodings: AttachmentEncoding[] = [];
    for (const attachment of email.attachments) encodings.push(await this.encodingOf(attachment));
    const open = (chosen: readonly AttachmentEncoding[]) => () =>
      this.compose(email, shown, body, chosen).createReadStream() as Readable;
    if (!encodings.includes('8bit')) return { head, raw: open(encodings) };
    return { head, raw: open(encodings), raw7Bit: open(encodings.map((one) => (one === '8bit' ? 'base64' : one))) };
  }

  /** A message without attachments and its head, which is not composed again when the message is written. */
  private async composeOnce(email: MessageContent, shown: Visible, body: MessageBody) {
    const release = hasLargeHead(email) ? await this.heads.acquire(email.accountId) : undefined;
    try {
      if (release) await nextTurn();
      const node = this.compose(email, shown, body, []);
      const head = node.buildHeaders();
      node.buildHeaders = () => head;
      return { node, head };
    } finally {
      release?.();
    }
  }

  /** @param encodings of the attachments. Attachments without one are left out */
  private compose(
    email: MessageContent,
    { from, to, cc, replyTo }: Visible,
    body: MessageBody,
    encodings: readonly AttachmentEncoding[],
  ): MimeNode {
    const node = new MailComposer({
      from: headerMailbox(from),
      to: to.map(headerMailbox),
      cc: cc.map(headerMailbox),
      replyTo: replyTo.map(headerMailbox),
      subject: email.subject,
      messageId: email.messageId,
      baseBoundary: email.id,
      date: email.date,
      headers: email.headers.map(([key, value]) => ({ key, value })),
      ...body.parts,
      attachments: encodings.map((encoding, index) => this.attach(email.attachments[index] as Attachment, encoding)),
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile();
    // nodemailer would parse the addresses again, and convert the domain next to a UTF-8 local part to U-labels.
    const encode = node.encodeHeaderValue.bind(node);
    node.encodeHeaderValue = (key, value) => (MAILBOXES.includes(key) ? [value].flat().join(', ') : encode(key, value));
    for (const [name, text] of [['Subject', email.subject] as const, ...email.headers]) {
      if (isUnfoldable(text)) node.setHeader(name, { prepared: true, value: encodedWords(text) });
    }
    // RFC 5322 section 3.6.3: an empty group shows that a message has no visible recipients.
    if (to.length === 0 && cc.length === 0) node.setHeader('To', 'undisclosed-recipients:;');
    return node;
  }

  /** A content that must be unencoded, and cannot be, is sent as a file of unknown type: nothing of it is lost. */
  private attach(attachment: Attachment, contentTransferEncoding: AttachmentEncoding) {
    const { filename, contentType, contentId } = attachment;
    const isOfItsType = contentTransferEncoding !== 'base64' || !mustStandAsIs(contentType);
    return {
      content: Readable.from(this.read(attachment), { objectMode: false }),
      contentType: isOfItsType ? contentType : UNKNOWN_TYPE,
      contentTransferEncoding,
      filename: filename ?? false,
      contentDisposition: contentId ? 'inline' : 'attachment',
      ...(contentId && { cid: contentId }),
    } as const;
  }

  private async encodingOf(attachment: Attachment): Promise<AttachmentEncoding> {
    const { contentType } = attachment;
    return mustStandAsIs(contentType) ? encodingOf(contentType, await lineDataOf(this.read(attachment))) : 'base64';
  }

  private read({ contentHash, size }: Attachment): AsyncGenerator<Buffer> {
    return inSlices(readStored(this.attachments, contentHash, size));
  }
}

type Content = Pick<BuiltMessage, 'raw' | 'size' | 'raw7Bit'>;

/** Mailboxes shown in headers. */
interface Visible {
  from: Mailbox;
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  replyTo: readonly Mailbox[];
}

/** Keeps the pieces: joining them would take as long as everything else. */
async function inPieces(message: AsyncIterable<Buffer>): Promise<Content> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message) {
    pieces.push(piece);
    size += piece.length;
  }
  return { raw: () => Readable.from(pieces, { objectMode: false }), size };
}

/** True if a text is too long for a line of 998 octets (RFC 5322 section 2.1.1) and has no space to break it at. */
function isUnfoldable(text: string): boolean {
  return text.length > 997 && /^[!-~]*$/.test(text);
}

/** Encodes ASCII as encoded words of at most 75 characters, which readers join again (RFC 2047 section 2). */
function encodedWords(text: string): string {
  const words = text.match(/.{1,45}/g) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

/** True if header values are not ASCII: the head must be looked at. */
function hasOtherHeaders({ headers }: MessageContent): boolean {
  return !isAscii(headers.map(([, value]) => value));
}

function sameAddresses(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((address) => others.has(address));
}

function isAscii(texts: readonly string[]): boolean {
  return texts.every((text) => Buffer.byteLength(text) === text.length);
}
