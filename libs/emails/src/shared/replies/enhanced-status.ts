import type { BounceReason } from './bounce-reasons.js';
import { DNS_WORDS, NOBODY } from './general-words.js';

/**
 * At the beginning of a reply, or after its code: elsewhere such numbers may be versions or addresses. In brackets and
 * behind `#` it may stand anywhere, as in the replies of qmail.
 */
const STATUS = /^(?:\d{3}[ -]+)?#?([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])/;
const IN_BRACKETS = /\(?#([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])/;

/** An enhanced status code (RFC 3463 section 2). */
export interface EnhancedStatus {
  class: number;
  /** Subject and detail, such as `1.1`. */
  detail: string;
}

/** The status in a reply, or in the field of a report; undefined if there is none. */
export function enhancedStatus(text: string): EnhancedStatus | undefined {
  const [, kind, subject, detail] = STATUS.exec(text) ?? IN_BRACKETS.exec(text) ?? [];
  return kind === undefined ? undefined : { class: Number(kind), detail: `${Number(subject)}.${Number(detail)}` };
}

/** By subject and detail, each with the section of RFC 3463. The first match counts. */
const MEANINGS: readonly { detail: RegExp; says?: RegExp; meaning: BounceReason }[] = [
  // Section 3.2; 1.10 is RFC 7505 section 4.3, and the word of Exchange for an unknown recipient.
  { detail: /^(?:1\.2|4\.(?:4|31\d))$/, says: DNS_WORDS, meaning: 'domain_not_found' },
  { detail: /^1\.(?:0|1|6|10)$/, meaning: 'address_unknown' },
  { detail: /^1\.3$/, meaning: 'address_invalid' },
  { detail: /^1\.2$/, meaning: 'route_failed' },
  // Addresses of the sender.
  { detail: /^1\.(?:7|8)$/, meaning: 'policy_rejected' },
  // Section 3.3.
  { detail: /^2\.1$/, meaning: 'address_disabled' },
  { detail: /^2\.2$/, meaning: 'mailbox_full' },
  { detail: /^(?:2\.3|3\.4)$/, meaning: 'message_too_large' },
  // Sections 3.4 and 3.5.
  { detail: /^[34]\.[1-9]/, meaning: 'route_failed' },
  // Section 3.7.
  { detail: /^6\./, meaning: 'content_rejected' },
  // Section 3.8. Many servers write 5.7.1 for whatever their rules refuse, unknown users among them.
  { detail: /^7\.1$/, says: NOBODY, meaning: 'address_unknown' },
  { detail: /^7\./, meaning: 'policy_rejected' },
];

/** The meaning of a status; undefined for one that says nothing, such as `5.0.0`. */
export function meaningOfStatus({ detail: found }: EnhancedStatus, said: string): BounceReason | undefined {
  return MEANINGS.find(({ detail, says }) => detail.test(found) && (!says || says.test(said)))?.meaning;
}

/** The meaning of a status that names a subject and no detail: it counts where no words say more. */
export function meaningOfSubject({ detail }: EnhancedStatus): BounceReason | undefined {
  return detail === '3.0' || detail === '4.0' ? 'route_failed' : undefined;
}
