import type { SubscribedEmailEvent } from '../../index.js';
import { SOFT_WORDS } from '../../shared/replies/general-words.js';
import { judgeReply } from '../../shared/replies/judge-reply.js';
import { replyIn } from './reply-in.js';

/** Subjects of enhanced codes (RFC 3463, section 3) about the recipient: the address, and the mailbox. */
const ABOUT_THE_MAILBOX = /^\d{3}[ -]4\.[12]\.\d+\b/;
/** "Mailbox unavailable" (RFC 5321, section 4.2.2), without an enhanced code. */
const UNAVAILABLE = /^450(?![ -][245]\.\d+\.\d+\b)/;

/**
 * True if an email was given up, and that counts against its recipient for a time. A reply about the transport or a
 * policy never counts.
 */
export function softens({
  type,
  reason,
  reasonCode,
  bounce,
}: Pick<SubscribedEmailEvent, 'type' | 'reason' | 'reasonCode' | 'bounce'>): boolean {
  const reply = replyIn(reason) ?? '';
  if (type === 'failed')
    return (
      reasonCode === 'expired' && /^4/.test(reply) && isAboutTheMailbox(reply, judgeReply({ text: reply }).reasonCode)
    );
  return type === 'bounced' && bounce?.type === 'Transient' && isAboutTheMailbox(reply, reasonCode);
}

/** @param meaning its reason code: `route_failed` is also that of a temporary reply that says nothing more */
function isAboutTheMailbox(reply: string, meaning: string | undefined): boolean {
  if (meaning === 'mailbox_full') return true;
  if (meaning !== 'route_failed') return false;
  return (
    ABOUT_THE_MAILBOX.test(reply) || (UNAVAILABLE.test(reply) && !SOFT_WORDS.some(({ pattern }) => pattern.test(reply)))
  );
}
