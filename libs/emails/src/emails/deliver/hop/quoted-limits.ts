import { judgeReply } from '../../../shared/replies/judge-reply.js';
import { phrasesOf, withoutQuotes } from '../../../shared/replies/own-words.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import { isSenderLimit, type QuotableEmail, quotableOf } from './sender-limits.js';

/**
 * The outcomes of an attempt, where a reply that names a limit of the sender only in words that it quotes from the email has
 * the reason code of its other words: a stranger may have written a subject.
 */
export function withoutQuotedLimits(
  email: QuotableEmail,
  outcomes: readonly RecipientOutcome[],
): readonly RecipientOutcome[] {
  const isLimited = ({ outcome, reply }: RecipientOutcome) => outcome !== 'accepted' && isSenderLimit(reply);
  if (!outcomes.some(isLimited)) return outcomes;
  const phrases = phrasesOf(quotableOf(email).flatMap((part) => [part, ...part.split(/[<>@]/)]));
  return outcomes.map((outcome) =>
    isLimited(outcome) ? { ...outcome, reply: withoutQuotedLimit(phrases, outcome.reply) } : outcome,
  );
}

function withoutQuotedLimit(phrases: ReadonlySet<string>, reply: SmtpReply): SmtpReply {
  const namesLimit = (quote: string) => isSenderLimit({ code: 450, text: `450 ${quote}` });
  const rest = { ...reply, text: withoutQuotes(phrases, reply.text, namesLimit) };
  return isSenderLimit(rest) ? reply : { ...reply, reasonCode: judgeReply(rest).reasonCode };
}
