import { judgeReply } from '../../../shared/replies/judge-reply.js';
import { phrasesOf, withoutQuotes } from '../../../shared/replies/own-words.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import { isSenderLimit, type QuotableEmail, quotableOf } from './sender-limits.js';

/** Limit of the different quotes of an attempt that are judged: its email and its replies may share any number of words. */
const MAX_QUOTES = 300;

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
  const namesLimit = judgeOfQuotes();
  return outcomes.map((outcome) =>
    isLimited(outcome) ? { ...outcome, reply: withoutQuotedLimit(phrases, outcome.reply, namesLimit) } : outcome,
  );
}

/** A function that tells if a quote names a limit. Quotes beyond the limit stay: then the account alone pauses. */
function judgeOfQuotes(): (quote: string) => boolean {
  const judged = new Map<string, boolean>();
  return (quote) => {
    const known = judged.get(quote);
    if (known !== undefined || judged.size >= MAX_QUOTES) return known ?? false;
    const namesLimit = isSenderLimit({ code: 450, text: `450 ${quote}` });
    judged.set(quote, namesLimit);
    return namesLimit;
  };
}

function withoutQuotedLimit(
  phrases: ReadonlySet<string>,
  reply: SmtpReply,
  namesLimit: (quote: string) => boolean,
): SmtpReply {
  const rest = { ...reply, text: withoutQuotes(phrases, reply.text, namesLimit) };
  return isSenderLimit(rest) ? reply : { ...reply, reasonCode: judgeReply(rest).reasonCode };
}
