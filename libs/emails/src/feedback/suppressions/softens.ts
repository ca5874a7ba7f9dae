import type { SubscribedEmailEvent } from '../../index.js';
import { replyIn } from './reply-in.js';

/**
 * Subjects of enhanced codes (RFC 3463, section 3) that are about the recipient: the address, and the mailbox. The others are
 * about the transport or a policy.
 */
const ABOUT_THE_MAILBOX = /^\d{3}[ -]4\.[12]\.\d+\b/;
const HAS_ENHANCED_CODE = /^\d{3}[ -][245]\.\d+\.\d+\b/;

/** True if an email was given up, and that counts against its recipient for a time. */
export function softens({
  type,
  reason,
  reasonCode,
  bounce,
}: Pick<SubscribedEmailEvent, 'type' | 'reason' | 'reasonCode' | 'bounce'>): boolean {
  const reply = replyIn(reason) ?? '';
  if (type === 'failed') return reasonCode === 'expired' && /^4/.test(reply) && isAboutTheMailbox(reply);
  if (type !== 'bounced' || bounce?.type !== 'Transient') return false;
  if (bounce.subType === 'MailboxFull') return reasonCode === undefined || reasonCode === 'mailbox_full';
  return bounce.subType === 'General' && reasonCode === undefined && ABOUT_THE_MAILBOX.test(reply);
}

function isAboutTheMailbox(reply: string): boolean {
  return ABOUT_THE_MAILBOX.test(reply) || !HAS_ENHANCED_CODE.test(reply);
}
