import { judgeReply } from '../../../shared/replies/judge-reply.js';
import { withoutWordsOf } from '../../../shared/replies/own-words.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import type { PendingEmail } from '../../storage/deliver/delivery.repository.js';
import { retryAfter } from '../../transports/smtp/retry-after.js';

/** Recipients that met a limit of the sender, with the wait that the next hop asked for. Milliseconds, 0 for none. */
export type SenderLimits = ReadonlyMap<string, number>;

/** The parts of an email that a reply may quote. */
type Quotable = Pick<
  PendingEmail,
  'from' | 'to' | 'cc' | 'replyTo' | 'subject' | 'headers' | 'recipients' | 'attachments'
>;

/** Words of a host behind the next hop, which any recipient may run: they must not stop the mail of others. */
const QUOTED = /\bsaid:|\bremote (?:server|host)\b/i;

/**
 * The recipients whose replies refuse all mail of the sender for a time, such as `454 Throttling failure`. Words of the
 * email say nothing, so that no email can stop the mail of others.
 */
export function senderLimits(email: Quotable, outcomes: readonly RecipientOutcome[]): SenderLimits {
  const limits = new Map<string, number>();
  const likely = outcomes.filter(({ outcome, reply }) => outcome !== 'accepted' && isSenderLimit(reply));
  if (likely.length === 0) return limits;
  const words = wordsOf(email);
  for (const { address, reply, retryAfter: asked = 0 } of likely) {
    const text = withoutWordsOf(words, reply.text);
    if (!isSenderLimit({ ...reply, text })) continue;
    limits.set(address, retryAfter(text) === retryAfter(reply.text) ? asked : 0);
  }
  return limits;
}

/** True for a reply to RCPT (RFC 5321 section 3.3): a relay may answer with words of the recipient's own server. */
export function isOfRecipient({ stage }: SmtpReply): boolean {
  return stage === 'rcpt';
}

function isSenderLimit(reply: SmtpReply): boolean {
  if (reply.code === undefined || reply.code < 400 || QUOTED.test(reply.text)) return false;
  return judgeReply(reply).isSenderLimit === true;
}

function wordsOf({ from, to, cc, replyTo, subject, headers, recipients, attachments }: Quotable): string[] {
  return [
    ...[from, ...to, ...cc, ...replyTo, subject],
    ...headers.flat(),
    ...recipients.map(({ address }) => address),
    ...attachments.map(({ filename }) => filename ?? ''),
  ];
}
