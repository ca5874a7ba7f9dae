import { withoutNames, withoutWords, wordsOf } from '../../shared/replies/own-words.js';
import type { SmtpReply } from '../ports/email-transport.js';

/** RFC 3463 status: security or policy (includes rates), the system does not accept mail now, congestion. */
const TOO_MUCH = /^4\.(?:7\.\d{1,3}|3\.2|4\.5)$/;
/**
 * Other causes: the connection was lost or idle, or the message had too many recipients (RFC 5321 section 4.5.3.1.10).
 */
const SOMETHING_ELSE = /^4\.(?:4\.[12]|5\.3)$/;
const STATUS = /^(?:\d{3}[ -])?(4\.\d{1,3}\.\d{1,3})(?!\S)/;
/**
 * Wordings of some servers, with any code: "too many connections", "Throttling failure: Maximum sending rate exceeded".
 */
const WORDS =
  /\btoo (?:many|much|fast|frequent)|\brate\b|\bthrottl|\bslow(?:ing)? down\b|\bconcurren|\bserver (?:is )?busy\b/i;
const GREYLISTED = /\bgr[ae]y-?\s?list/i;
const CLOSING = 421;

/**
 * True if one of the replies to a message reports overload, so that fewer messages are sent at the same time. A full
 * mailbox or a greylisted message is not overload.
 *
 * @param quotable parts of the message whose words count for nothing, because a reply may quote them
 */
export function reportsOverload(replies: readonly SmtpReply[], quotable: () => readonly string[]): boolean {
  let words: ReadonlySet<string> | undefined;
  const quotableWords = () => {
    words ??= wordsOf(quotable());
    return words;
  };
  return replies.some((reply) => namesOverload(reply, quotableWords));
}

function namesOverload({ code, text }: SmtpReply, quotable: () => ReadonlySet<string>): boolean {
  if (code === undefined || code < 400 || code > 499 || GREYLISTED.test(text)) return false;
  const status = STATUS.exec(text)?.[1] ?? '';
  if (SOMETHING_ELSE.test(status)) return false;
  if (code === CLOSING || TOO_MUCH.test(status)) return true;
  const words = withoutNames(text);
  if (!WORDS.test(words) || /\btoo many recipients\b/i.test(words)) return false;
  return WORDS.test(withoutWords(quotable(), words));
}
