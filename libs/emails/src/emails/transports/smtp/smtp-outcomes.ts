import { storableText } from '../../../shared/text/storable-text.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import type { Reply } from './reply-reader.js';
import { retryAfter } from './retry-after.js';

const MAX_REPLY = 500;
/** RFC 5321 section 4.2.2: no such command, or not now. */
const NOT_NOW = [500, 502, 503];

/** What became of one recipient. */
export type Verdict = Omit<RecipientOutcome, 'address'>;

/** The server took the message. */
export function acceptance(reply: Reply): Verdict {
  return { outcome: 'accepted', reply: told(reply) };
}

/** RFC 5321 section 4.2.1: 5yz is a permanent answer. */
export function refusal(reply: Reply): Verdict {
  if (reply.code >= 500) return { outcome: 'rejected', reply: told(reply) };
  const wait = retryAfter(reply.text);
  return { outcome: 'deferred', reply: told(reply), ...(wait !== undefined && { retryAfter: wait }) };
}

/** What a reply to a whole message means, or to a command that is about all of it. */
export function verdictOf(reply: Reply): Verdict {
  return isRefusal(reply) ? refusal(reply) : acceptance(reply);
}

export function isRefusal(reply: Reply | undefined): reply is Reply {
  return reply !== undefined && reply.code >= 400;
}

/** Whether a refusal is of a command as such, or of when it came, and so says nothing of a message. */
export function isOutOfTurn(reply: Reply): boolean {
  return NOT_NOW.includes(reply.code) || (isRefusal(reply) && /\bpipelin|\bsynchroni[sz]ation\b/i.test(reply.text));
}

/**
 * One outcome per recipient.
 *
 * @param replies to RCPT, as far as they came: a refusal is about its recipient alone
 * @param rest what became of the others
 */
export function outcomesOf(
  recipients: readonly string[],
  replies: readonly Reply[],
  rest: Verdict,
): RecipientOutcome[] {
  return recipients.map((address, n) => {
    const reply = replies[n];
    return { address, ...(isRefusal(reply) ? refusal(reply) : rest) };
  });
}

export function told({ code, text }: Reply): SmtpReply {
  return { code, text: storableText(text, MAX_REPLY) };
}

/** What there is instead of a reply. @param error its kind, in one word */
export function instead(text: string, error: string): SmtpReply {
  return { text: storableText(text, MAX_REPLY), error };
}
