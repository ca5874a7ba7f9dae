import { storableText } from '../../../shared/text/storable-text.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import type { Reply } from './reply-reader.js';
import { retryAfter } from './retry-after.js';

const MAX_REPLY = 500;
/** RFC 5321 section 4.2.2: bad sequence of commands. */
const BAD_SEQUENCE = 503;
/** RFC 5321 section 4.2.2: no such command, or not now. */
const NOT_NOW = [500, 502, BAD_SEQUENCE];
/** RFC 4954 section 6, RFC 3207 section 4: a login, a better one, or TLS is missing. */
const LOGIN = [530, 534, 535, 538];
/** The same by RFC 3463 section 3.8 and RFC 5248, and by Exchange (5.7.57), whatever the code. */
const LOGIN_STATUS = /^5\d\d[ -]5\.7\.(?:8|9|10|11|57)(?!\d)/;
/** The same in words, where there is no such code. */
const LOGIN_WORDS =
  /(?:un|not |be )authenticated|authenticat(?:e|ion)\b|\bauth (?:is )?(?:first|required)|\blog(?:ged)?[ -]?in\b/i;
/** Such words may be about the sender's domain as well (RFC 7372). */
const OF_DOMAIN = /\b5\.7\.2\d\b|\b(?:spf|dkim|dmarc|arc)\b/i;

/** The next hop takes mail from nobody without a login, or without TLS. */
export const NO_LOGIN = 'ENOLOGIN';

/** What became of one recipient. */
export type Verdict = Omit<RecipientOutcome, 'address'>;

/** The server took the message. */
export function acceptance(reply: Reply): Verdict {
  return { outcome: 'accepted', reply: told(reply) };
}

/**
 * What the refusal of a command means. RFC 5321 section 4.2.1: 5yz is a permanent answer. But a server that does not know
 * MAIL, RCPT or DATA, or not now, or without a login, says something about our dialogue and nothing about a message or a
 * mailbox: that is tried again.
 */
export function refusal(reply: Reply): Verdict {
  return isNotNow(reply) || demandsLogin(reply) ? deferral(reply) : refusalOfContent(reply);
}

/** Whether it is refused because there was no login, or no TLS. */
function demandsLogin({ code, text }: Reply): boolean {
  return LOGIN.includes(code) || LOGIN_STATUS.test(text);
}

/** The outcome of a refused MAIL. It has the kind of error where it may be that no mail is taken at all. */
export function refusalOfMail(mail: Reply): Verdict {
  if (!demandsLoginAtMail(mail)) return refusal(mail);
  const verdict = deferral(mail);
  return { ...verdict, reply: { ...verdict.reply, error: NO_LOGIN } };
}

/** As `demandsLogin`, or in words: those say to other commands that a recipient, or the content, is refused. */
export function demandsLoginAtMail(mail: Reply): boolean {
  const { code, text } = mail;
  return demandsLogin(mail) || (code >= 500 && LOGIN_WORDS.test(text) && !OF_DOMAIN.test(text));
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
