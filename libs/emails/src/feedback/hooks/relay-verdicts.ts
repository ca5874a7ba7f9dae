import { judgeReply } from '../../shared/replies/judge-reply.js';
import type { IncomingReport } from '../incoming/incoming-report.js';

/** The part of a report that says why. */
export type Verdict = Pick<IncomingReport, 'code' | 'bounce' | 'reply'>;

type SubType = NonNullable<IncomingReport['bounce']>['subType'];

/** Reason codes of what a relay did by itself. */
export const RELAY_CODES = {
  /** Its own list has the address: it sent nothing. */
  suppressed: 'relay_suppressed',
  /** It refused the message. */
  rejected: 'relay_rejected',
} as const;

const CODES: Partial<Record<SubType, string>> = {
  MailboxFull: 'mailbox_full',
  MessageTooLarge: 'message_too_large',
  ContentRejected: 'content_rejected',
  AttachmentRejected: 'attachment_rejected',
};

/**
 * The relay calls the address invalid. The server's own words count if they are recognised, because relays call blocks and
 * limits permanent too; else the relay's word does.
 *
 * @param code of the address
 */
export function hardBounce(reply: string | undefined, code = 'address_unknown'): Verdict {
  const words = reply === undefined ? {} : { reply };
  const isRecognised = judgeReply({ text: reply ?? '' }).reasonCode !== 'unrecognised_reply';
  return isRecognised ? words : { ...words, code, bounce: { type: 'Permanent', subType: 'General' } };
}

/** The relay gave up for another reason than the address: never a reason to suppress. */
export function softBounce(reply: string | undefined, subType: SubType = 'General'): Verdict {
  const code = CODES[subType];
  return {
    ...(reply !== undefined && { reply }),
    ...(code !== undefined && { code }),
    bounce: { type: 'Transient', subType },
  };
}
