import { type BounceKind, UNDETERMINED } from './bounce.js';

const PERMANENT: BounceKind = { type: 'Permanent', subType: 'General' };
const transient = (subType: BounceKind['subType']): BounceKind => ({ type: 'Transient', subType });

interface Verdict {
  /** Pattern of the enhanced status without its class (RFC 3463), such as `1.1`. */
  status?: RegExp;
  /** Basic codes, for replies without an enhanced status. */
  codes?: readonly number[];
  /** Pattern that the text must match as well. Default: any text. */
  says?: RegExp;
  kind: BounceKind;
}

const UNKNOWN_ADDRESS =
  /\b(?:user|recipient|mailbox|account|address)\b.{0,60}\b(?:unknown|not found|disabled|does ?n[o']t exist|unavailable|invalid)\b|\b(?:unknown|no such|invalid) (?:\w+ )?(?:user|recipient|mailbox|account|address)\b/i;
const QUOTA = /\bquota\b|\b(?:mailbox|inbox) (?:is )?full\b/i;
const SIZE = /\bsize\b|\btoo (?:large|big|long)\b/i;
const ATTACHMENT = /\battachments?\b|\bvirus(?:es)?\b|\bexecutables?\b/i;
const SPAM = /\bspam\b|\bcontent\b|\bjunk\b|\bunsolicited\b|\bbulk\b/i;

/** The first match counts. */
const VERDICTS: readonly Verdict[] = [
  { status: /^(?:1\.(?:0|1|2|3|6|10)|2\.1|4\.4)$/, kind: PERMANENT },
  { codes: [550, 551, 553], says: UNKNOWN_ADDRESS, kind: PERMANENT },
  { status: /^2\.2$/, kind: transient('MailboxFull') },
  { codes: [552], says: QUOTA, kind: transient('MailboxFull') },
  { status: /^(?:2\.3|3\.4)$/, kind: transient('MessageTooLarge') },
  { codes: [552], says: SIZE, kind: transient('MessageTooLarge') },
  { says: ATTACHMENT, kind: transient('AttachmentRejected') },
  { status: /^6\./, kind: transient('ContentRejected') },
  { status: /^7\.[01]$/, says: SPAM, kind: transient('ContentRejected') },
  { codes: [554], kind: transient('ContentRejected') },
  { status: /^[347]\./, kind: transient('General') },
];

/**
 * Classifies the reply to a refused recipient. The enhanced status counts, since it is exact where codes and texts
 * vary; the basic code counts without one, or with an unspecific one (`5.0.0`).
 */
export function bounceOf({ code, text }: { code?: number; text: string }): BounceKind {
  const status = /^(?:\d{3}[ -])?\s*[245]\.(\d{1,3}\.\d{1,3})\b/.exec(text)?.[1];
  const enhanced = status === '0.0' ? undefined : status;
  const found = VERDICTS.find(
    ({ status, codes, says }) =>
      (!status || (enhanced !== undefined && status.test(enhanced))) &&
      (!codes || (enhanced === undefined && code !== undefined && codes.includes(code))) &&
      (!says || says.test(text)),
  );
  return found?.kind ?? UNDETERMINED;
}
