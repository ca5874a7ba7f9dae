import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { addressKey } from '../../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../../shared/mailbox/erased-address.js';
import { parseMailbox } from '../../../shared/mailbox/mailbox.js';
import { hiddenAddresses } from '../../message/hidden-addresses.js';
import { LineEnds } from '../../message/line-ends.js';
import { MessageBuilder } from '../../message/message-builder.js';
import { withOriginalRecipients } from '../../message/original-recipients.js';
import { isSplit, type RecipientsPerMessage } from '../../ports/recipients-per-message.js';
import { isKeptBack, isPending } from '../../states/recipient-state.js';
import { AnswerRepository, type AnswerStore, type EmailSource } from '../../storage/accept/answer.repository.js';
import { type EmailStore, EmailsRepository } from '../../storage/accept/emails.repository.js';

/** Injection token of `recipientsPerMessage`. */
export const RECIPIENTS_PER_MESSAGE = Symbol('recipientsPerMessage');

/** Injection token: true if messages go to `redirectAllTo`. */
export const IS_REDIRECTED = Symbol('isRedirected');

/** Bytes of a message that are buffered ahead. */
const AT_ONCE = 64_000;

/** An email as a message, of which only the headers are read so far. */
export interface SourceOfEmail {
  /** Bytes of html and text, which are in memory from `open` on. Attachments are streamed. */
  contentSize: number;
  /** @throws ApiError 422 when its content was deleted meanwhile */
  open(): Promise<Buffer | Readable>;
}

/**
 * Emails as the next hop gets them: the same bytes, without the recipients that policies have refused so far. The
 * message never names a bcc recipient. A message that was redirected, or will be, has the fields that say so.
 */
@Injectable()
export class SourceService {
  constructor(
    @Inject(AnswerRepository) private readonly emails: Pick<AnswerStore, 'findSource'>,
    @Inject(EmailsRepository) private readonly contents: Pick<EmailStore, 'contents'>,
    private readonly builder: MessageBuilder,
    @Inject(RECIPIENTS_PER_MESSAGE) private readonly recipientsPerMessage: RecipientsPerMessage,
    @Inject(IS_REDIRECTED) private readonly isRedirected: boolean,
  ) {}

  /**
   * Undefined when the account has no such email.
   *
   * @param recipient an address: its message, where each recipient gets a message of its own. Default: the first one
   * @throws ApiError 422 when it is sensitive, or no longer kept, or the address is none of its recipients
   */
  async find(accountId: string, id: string, recipient?: string): Promise<SourceOfEmail | undefined> {
    const email = await this.emails.findSource(accountId, id);
    if (!email) return undefined;
    if (email.isSensitive) throw ApiError.invalid('This email cannot be shown as a message: it is sensitive.');
    if (!email.hasHtml && !email.hasText && email.attachments.length === 0 && !email.isEmpty) throw contentDeleted();
    if (email.from.includes(ERASED_ADDRESS)) throw contentDeleted();
    const recipients = this.recipientsOf(email, recipient);
    return { contentSize: email.contentSize, open: () => this.build(accountId, email, recipients) };
  }

  /** Of the message; the message to all recipients is the same without them. */
  private recipientsOf(email: EmailSource, recipient: string | undefined): readonly string[] {
    const { recipients } = email;
    const key = recipient === undefined ? undefined : addressKey(parseMailbox(recipient).envelope);
    const found =
      key === undefined
        ? (recipients.find((one) => !isKeptBack(one)) ?? recipients[0])
        : recipients.find(({ address }) => addressKey(address) === key);
    if (key !== undefined && !found) throw ApiError.invalid('`recipient` must be a recipient of this email.');
    return found && isSplit(this.recipientsPerMessage, email) ? [found.address] : [];
  }

  private async build(
    accountId: string,
    email: EmailSource,
    recipients: readonly string[],
  ): Promise<Buffer | Readable> {
    const [found] = await this.contents.contents(accountId, [email.id]);
    const html = email.hasHtml ? (found?.html ?? null) : null;
    const text = email.hasText ? (found?.text ?? null) : null;
    if (email.hasHtml !== (html !== null) || email.hasText !== (text !== null)) throw contentDeleted();
    const content = { ...email, accountId, html, text };
    const redirected = this.redirectedOf(email, recipients);
    const { raw } = await this.builder.build(
      redirected.length > 0 ? withOriginalRecipients(content, redirected) : content,
      recipients,
      hiddenAddresses(email.recipients),
    );
    if (!Buffer.isBuffer(raw)) return LineEnds.through(raw());
    return raw.length <= AT_ONCE ? LineEnds.of(raw) : LineEnds.through(Readable.from(piecesOf(raw)));
  }

  /** Recipients of the message that were redirected, or will be. */
  private redirectedOf({ recipients }: EmailSource, [only]: readonly string[]): readonly string[] {
    return recipients
      .filter((one) => one.redirected || (this.isRedirected && isPending(one)))
      .map(({ address }) => address)
      .filter((address) => address !== ERASED_ADDRESS && (only === undefined || address === only));
  }
}

function* piecesOf(message: Buffer): Generator<Buffer> {
  for (let at = 0; at < message.length; at += AT_ONCE) yield message.subarray(at, at + AT_ONCE);
}

function contentDeleted(): ApiError {
  return ApiError.invalid('This email cannot be shown as a message: its content is no longer kept.');
}
