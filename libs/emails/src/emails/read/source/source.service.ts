import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { ERASED_ADDRESS } from '../../../shared/mailbox/erased-address.js';
import { hiddenAddresses } from '../../message/hidden-addresses.js';
import { LineEnds } from '../../message/line-ends.js';
import { MessageBuilder } from '../../message/message-builder.js';
import { AnswerRepository, type AnswerStore, type EmailSource } from '../../storage/accept/answer.repository.js';
import { type EmailStore, EmailsRepository } from '../../storage/accept/emails.repository.js';

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
 * message never names a bcc recipient.
 */
@Injectable()
export class SourceService {
  constructor(
    @Inject(AnswerRepository) private readonly emails: Pick<AnswerStore, 'findSource'>,
    @Inject(EmailsRepository) private readonly contents: Pick<EmailStore, 'contents'>,
    private readonly builder: MessageBuilder,
  ) {}

  /** Undefined when the account has no such email. @throws ApiError 422 when it is sensitive, or no longer kept */
  async find(accountId: string, id: string): Promise<SourceOfEmail | undefined> {
    const email = await this.emails.findSource(accountId, id);
    if (!email) return undefined;
    if (email.isSensitive) throw ApiError.invalid('This email cannot be shown as a message: it is sensitive.');
    if (!email.hasHtml && !email.hasText && email.attachments.length === 0 && !email.isEmpty) throw contentDeleted();
    if (email.from.includes(ERASED_ADDRESS)) throw contentDeleted();
    return { contentSize: email.contentSize, open: () => this.build(accountId, email) };
  }

  private async build(accountId: string, email: EmailSource): Promise<Buffer | Readable> {
    const [found] = await this.contents.contents(accountId, [email.id]);
    const html = email.hasHtml ? (found?.html ?? null) : null;
    const text = email.hasText ? (found?.text ?? null) : null;
    if (email.hasHtml !== (html !== null) || email.hasText !== (text !== null)) throw contentDeleted();
    const { raw } = await this.builder.build(
      { ...email, accountId, html, text },
      [],
      hiddenAddresses(email.recipients),
    );
    if (!Buffer.isBuffer(raw)) return LineEnds.through(raw());
    return raw.length <= AT_ONCE ? LineEnds.of(raw) : LineEnds.through(Readable.from(piecesOf(raw)));
  }
}

function* piecesOf(message: Buffer): Generator<Buffer> {
  for (let at = 0; at < message.length; at += AT_ONCE) yield message.subarray(at, at + AT_ONCE);
}

function contentDeleted(): ApiError {
  return ApiError.invalid('This email cannot be shown as a message: its content is no longer kept.');
}
