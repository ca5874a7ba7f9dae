import { ApiError } from '../../../shared/errors/api-error.js';
import { ERASED_ADDRESS } from '../../../shared/mailbox/erased-address.js';
import { parseMailbox } from '../../../shared/mailbox/mailbox.js';
import type { EmailSource } from '../../storage/accept/answer.repository.js';
import type { NewEmail } from '../../storage/accept/emails.repository.js';
import { termsOf } from '../../storage/email-terms.js';
import { messageIdOf } from '../email-composer.js';
import { newEmailId } from '../new-email-id.js';
import type { SearchWords } from '../search-words.js';

/** An email with the content of another. Html and text are copied within the database. */
export interface EmailCopy extends NewEmail {
  resentFrom: string;
}

/**
 * A new email with the content of another, for some of its recipients. Its headers omit the others, as they do for
 * recipients refused by a topic.
 *
 * @param wanted addresses in any spelling; empty: those that it has not reached
 * @throws ApiError 422 without a recipient, for an address that is not a recipient of the email, without its content, or for a sensitive one
 */
export function copyOf(
  source: EmailSource,
  accountId: string,
  wanted: readonly string[],
  scheduledAt: string | null,
  searchWords: SearchWords,
): EmailCopy {
  const { from, replyTo, subject, headers, tags, topicId, attachments } = source;
  if (source.isSensitive) throw ApiError.invalid('This email cannot be sent again: it is sensitive.');
  if (!source.hasHtml && !source.hasText && attachments.length === 0 && !source.isEmpty) {
    throw ApiError.invalid('This email cannot be sent again: its content is no longer kept.');
  }
  if (from.includes(ERASED_ADDRESS)) {
    throw ApiError.invalid('This email cannot be sent again: its sender was erased.');
  }
  const addresses = wanted.length > 0 ? named(source, wanted) : notReached(source);
  const chosen = new Set(addresses);
  const among = (mailboxes: readonly string[]) => mailboxes.filter((mailbox) => chosen.has(envelopeOf(mailbox)));
  const [to, cc, bcc] = [among(source.to), among(source.cc), among(source.bcc)];
  const id = newEmailId();
  return {
    id,
    accountId,
    messageId: messageIdOf(id, from),
    from,
    to,
    cc,
    bcc,
    replyTo,
    subject,
    html: null,
    text: null,
    headers,
    tags,
    topicId,
    templateId: source.templateId ?? undefined,
    scheduledAt,
    recipients: addresses.map((address) => ({ address, status: 'pending' })),
    terms: termsOf({ from, to, cc, bcc, replyTo, tags, topicId }),
    words: searchWords.of({ subject, from, to, cc, bcc }),
    attachments,
    isBulk: source.isBulk,
    copiedSize: source.contentSize,
    idempotency: null,
    resentFrom: source.id,
  };
}

function notReached({ recipients }: EmailSource): string[] {
  const found = recipients.filter(
    ({ address, status }) => (status === 'bounced' || status === 'failed') && address !== ERASED_ADDRESS,
  );
  if (found.length > 0) return found.map(({ address }) => address);
  throw ApiError.invalid('No recipient of this email has bounced or failed. Name those to send to in `recipients`.');
}

function named({ recipients }: EmailSource, wanted: readonly string[]): string[] {
  const known = new Map(recipients.map(({ address }) => [address.toLowerCase(), address]));
  known.delete(ERASED_ADDRESS);
  const found = wanted.map((mailbox, at) => {
    const address = known.get(envelopeOf(mailbox).toLowerCase());
    if (address === undefined) throw ApiError.invalid(`\`recipients[${at}]\` is not a recipient of this email.`);
    return address;
  });
  return [...new Set(found)];
}

function envelopeOf(mailbox: string): string {
  return parseMailbox(mailbox).envelope;
}
