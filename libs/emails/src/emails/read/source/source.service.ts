import { Readable } from 'node:stream';
import { ApiError } from '../../../shared/errors/api-error.js';
import { ERASED_ADDRESS } from '../../../shared/mailbox/erased-address.js';
import { hiddenAddresses } from '../../message/hidden-addresses.js';
import { LineEnds } from '../../message/line-ends.js';
import type { MessageBuilder } from '../../message/message-builder.js';
import type { AnswerStore, EmailSource } from '../../storage/answer.repository.js';
import type { EmailStore } from '../../storage/email.repository.js';

/** Bytes of a message that are made ready at once. */
const AT_ONCE = 64_000;

/** An email as a message, of which nothing was read yet but what is in its headers. */
export interface SourceOfEmail {
  /** Bytes of html and text, which are in memory from `open` on. Attachments are not: they are read in their turn. */
  contentSize: number;
  /** @throws ApiError 422 when its content is gone meanwhile */
  open(): Promise<Buffer | Readable>;
}

/**
 * Emails as the next hop is given them: the same bytes, for whom it is sent at last, so without those whom policies have
 * kept back so far. Who is in bcc is in no message.
 */
export class SourceService {
  constructor(
    private readonly emails: Pick<AnswerStore, 'findSource'>,
    private readonly contents: Pick<EmailStore, 'contents'>,
    private readonly builder: MessageBuilder,
  ) {}

  /** Undefined when the account has no such email. @throws ApiError 422 when its content is not kept any more */
  async find(accountId: string, id: string): Promise<SourceOfEmail | undefined> {
    const email = await this.emails.findSource(accountId, id);
    if (!email) return undefined;
    if (!email.hasHtml && !email.hasText && email.attachments.length === 0 && !email.isEmpty) throw gone();
    if (email.from.includes(ERASED_ADDRESS)) throw gone();
    return { contentSize: email.contentSize, open: () => this.build(accountId, email) };
  }

  private async build(accountId: string, email: EmailSource): Promise<Buffer | Readable> {
    const [found] = await this.contents.contents(accountId, [email.id]);
    const html = email.hasHtml ? (found?.html ?? null) : null;
    const text = email.hasText ? (found?.text ?? null) : null;
    if (email.hasHtml !== (html !== null) || email.hasText !== (text !== null)) throw gone();
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

function gone(): ApiError {
  return ApiError.invalid('This email cannot be shown as a message: its content is no longer kept.');
}
