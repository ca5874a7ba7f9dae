import { storableText } from '../../../shared/text/storable-text.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import type { Reply } from './reply-reader.js';
import { retryAfter } from './retry-after.js';

const MAX_REPLY = 500;
/** RFC 5321 section 4.2.2: bad sequence of commands. */
const BAD_SEQUENCE = 503;
/** RFC 5321 section 4.2.2: no such command, or not now. */
const NOT_NOW = [500, 502, BAD_SEQUENCE];

/** What became of one recipient. */
export type Verdict = Omit<RecipientOutcome, 'address'>;

/** The server took the message. */
export function acceptance(reply: Reply): Verdict {
  return { outcome: 'accepted', reply: told(reply) };
}

/**
 * What the refusal of a command means. RFC 5321 section 4.2.1: 5yz is a permanent answer. But who does not know MAIL, RCPT
 * or DATA, or not now, says something about our dialogue and nothing about a message or a mailbox: that is tried again.
 */
export function refusal(reply: Reply): Verdict {
  return isNotNow(reply) ? deferral(reply) : refusalOfContent(reply);
}

function refusalOfContent(reply: Reply): Verdict {
  const isPermanent = reply.code >= 500 && reply.code !== BAD_SEQUENCE;
  return isPermanent ? { outcome: 'rejected', reply: told(reply) } : deferral(reply);
}

function deferral(reply: Reply): Verdict {
  const wait = retryAfter(reply.text);
  return { outcome: 'deferred', reply: told(reply), ...(wait !== undefined && { retryAfter: wait }) };
}

/** What a reply means to a command that is about the whole message. */
export function verdictOf(reply: Reply): Verdict {
  return isRefusal(reply) ? refusal(reply) : acceptance(reply);
}

/** What the reply to a message's content means: 500 may be about one of its lines (RFC 5321 section 4.5.3.1.9). */
export function contentVerdict(reply: Reply): Verdict {
  return isRefusal(reply) ? refusalOfContent(reply) : acceptance(reply);
}

export function isRefusal(reply: Reply | undefined): reply is Reply {
  return reply !== undefined && reply.code >= 400;
}

/** Whether a command was refused as such, or at this point of the dialogue. */
export function isNotNow({ code }: Reply): boolean {
  return NOT_NOW.includes(code);
}

/** As above, or by its words because of when it was sent. */
export function isOutOfTurn(reply: Reply): boolean {
  return isNotNow(reply) || (isRefusal(reply) && /\bpipelin|\bsynchroni[sz]ation\b/i.test(reply.text));
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
