import { judgeReply } from '../../../shared/replies/judge-reply.js';
import { withoutWords, wordsOf } from '../../../shared/replies/own-words.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import type { PendingEmail } from '../../storage/deliver/delivery.repository.js';

/** The parts of an email that a reply may quote. */
export type QuotableEmail = Pick<
  PendingEmail,
  'from' | 'to' | 'cc' | 'replyTo' | 'subject' | 'headers' | 'recipients' | 'attachments'
>;

/** Words of a host behind the next hop, which any recipient may run: they must not stop the mail of others. */
const QUOTED = /\bsaid:|\bremote (?:server|host)\b|\bverification failed\b/i;

/** True if a reply refuses all mail of the sender for a time, such as `454 Throttling failure`. */
export function isSenderLimit(reply: SmtpReply): boolean {
  const { code, text, reasonCode = 'sender_limit' } = reply;
  if (code === undefined || code < 400 || reasonCode !== 'sender_limit' || QUOTED.test(text)) return false;
  return judgeReply(reply).isSenderLimit === true;
}

/** True for a reply to RCPT (RFC 5321 section 3.3): a relay may answer with words of the recipient's own server. */
export function isOfRecipient({ stage }: SmtpReply): boolean {
  return stage === 'rcpt';
}

/** True if a limit of the sender was met, also by the replies without the words of the email, which they may quote. */
export function isLimitForOthers(email: QuotableEmail, outcomes: readonly RecipientOutcome[]): boolean {
  const texts = new Map(
    outcomes
      .filter(({ outcome, reply }) => outcome !== 'accepted' && isSenderLimit(reply))
      .map(({ reply }) => [reply.text, reply]),
  );
  if (texts.size === 0) return false;
  const words = wordsOf(quotableOf(email));
  return [...texts].some(([text, reply]) => isSenderLimit({ ...reply, text: withoutWords(words, text) }));
}

/** Texts of an email that a reply may quote. */
export function quotableOf({
  from,
  to,
  cc,
  replyTo,
  subject,
  headers,
  recipients,
  attachments,
}: QuotableEmail): string[] {
  return [
    ...[from, ...to, ...cc, ...replyTo, subject],
    ...headers.flat(),
    ...recipients.map(({ address }) => address),
    ...attachments.map(({ filename }) => filename ?? ''),
  ];
}
