import { withoutNames } from '../../../shared/replies/own-words.js';
import { MAX_REASON, storableText } from '../../../shared/text/storable-text.js';
import type { RecipientOutcome, SmtpReply, SmtpStage } from '../../ports/email-transport.js';
import type { Reply } from './reply-reader.js';
import { retryAfter } from './retry-after.js';

/** RFC 5321 section 4.2.2: bad sequence of commands. */
const BAD_SEQUENCE = 503;
/** RFC 5321 section 4.2.2: unknown command, or not allowed now. */
const NOT_NOW = [500, 502, BAD_SEQUENCE];
/** RFC 4954 section 6, RFC 3207 section 4: a login, a better one, or TLS is missing. */
const LOGIN = [530, 534, 535, 538];
/** The same by RFC 3463 section 3.8, RFC 5248, and Exchange (5.7.57), with any code. */
const LOGIN_STATUS = /^5\d\d[ -]5\.7\.(?:8|9|10|11|57)(?!\d)/;
/** The same in words, for servers without such a status. */
const LOGIN_WORDS =
  /(?:un|not |be )authenticated|authenticat(?:e|ion)\b|\bauth (?:is )?(?:first|required)|\blog(?:ged)?[ -]?in\b/i;
/** Such words may also be about the sender's domain (RFC 7372). */
const OF_DOMAIN = /\b5\.7\.2\d\b|\b(?:spf|dkim|dmarc|arc)\b/i;

/** The next hop accepts no mail without a login, or without TLS. */
export const NO_LOGIN = 'ENOLOGIN';

/** The outcome of one recipient. */
export type Verdict = Omit<RecipientOutcome, 'address'>;

/** Notes the command that was refused. */
export function refusedAt(stage: SmtpStage, verdict: Verdict): Verdict {
  return verdict.outcome === 'accepted' ? verdict : { ...verdict, reply: { ...verdict.reply, stage } };
}

/** The outcome of an accepted message. */
export function acceptance(reply: Reply): Verdict {
  return { outcome: 'accepted', reply: smtpReplyOf(reply) };
}

/**
 * The outcome of a refused command. By RFC 5321 section 4.2.1, 5yz is permanent. But a server that does not know MAIL,
 * RCPT or DATA, or not now, or not without a login, refuses our dialogue and not a message or a mailbox: that is tried
 * again.
 */
export function refusal(reply: Reply): Verdict {
  return isNotNow(reply) || demandsLogin(reply) ? deferral(reply) : refusalOfContent(reply);
}

/** Whether it is refused because login or TLS is missing. */
function demandsLogin({ code, text }: Reply): boolean {
  return LOGIN.includes(code) || LOGIN_STATUS.test(text);
}

/** The outcome of a refused MAIL. It has a kind of error if the server may accept no mail at all. */
export function refusalOfMail(mail: Reply): Verdict {
  if (!demandsLoginAtMail(mail)) return refusal(mail);
  const verdict = deferral(mail);
  return { ...verdict, reply: { ...verdict.reply, error: NO_LOGIN } };
}

/** Like `demandsLogin`, but also by words: after other commands such words refuse a recipient or the content. */
export function demandsLoginAtMail(mail: Reply): boolean {
  const { code } = mail;
  const words = withoutNames(mail.text);
  return demandsLogin(mail) || (code >= 500 && LOGIN_WORDS.test(words) && !OF_DOMAIN.test(words));
}

function refusalOfContent(reply: Reply): Verdict {
  const isPermanent = reply.code >= 500 && reply.code !== BAD_SEQUENCE;
  return isPermanent ? { outcome: 'rejected', reply: smtpReplyOf(reply) } : deferral(reply);
}

function deferral(reply: Reply): Verdict {
  const wait = retryAfter(reply.text);
  return { outcome: 'deferred', reply: smtpReplyOf(reply), ...(wait !== undefined && { retryAfter: wait }) };
}

/** The outcome of a reply to a command that is about the whole message. */
export function verdictOf(reply: Reply): Verdict {
  return isRefusal(reply) ? refusal(reply) : acceptance(reply);
}

/** The outcome of the reply to a message's content: 500 may be about one of its lines (RFC 5321 section 4.5.3.1.9). */
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

/** The same, or by words that say it was sent too early. */
export function isOutOfTurn(reply: Reply): boolean {
  return isNotNow(reply) || (isRefusal(reply) && /\bpipelin|\bsynchroni[sz]ation\b/i.test(withoutNames(reply.text)));
}

/**
 * One outcome per recipient.
 *
 * @param replies received replies to RCPT: a refusal is about its recipient only
 * @param rest outcome of the other recipients
 */
export function outcomesOf(
  recipients: readonly string[],
  replies: readonly Reply[],
  rest: Verdict,
): RecipientOutcome[] {
  return recipients.map((address, n) => {
    const reply = replies[n];
    return { address, ...(isRefusal(reply) ? refusedAt('rcpt', refusal(reply)) : rest) };
  });
}

export function smtpReplyOf({ code, text }: Reply): SmtpReply {
  return { code, text: storableText(text, MAX_REASON) };
}

/** Stands for a missing reply. @param error its kind, in one word */
export function instead(text: string, error: string): SmtpReply {
  return { text: storableText(text, MAX_REASON), error };
}
