import type { BounceReason } from './bounce-reasons.js';

/** Words with one meaning, whoever uses them. */
export interface Words {
  pattern: RegExp;
  meaning: BounceReason;
}

/** Words that speak of something other than the address. They count for more than any code. The first match counts. */
export const SOFT_WORDS: readonly Words[] = [
  { pattern: /\bquota\b|\b(?:mailbox|inbox) (?:is )?full\b/i, meaning: 'mailbox_full' },
  { pattern: /\battachments?\b|\bvirus(?:es)?\b|\bexecutables?\b/i, meaning: 'attachment_rejected' },
  { pattern: /\bmessage size\b|\btoo (?:large|big|long)\b/i, meaning: 'message_too_large' },
  { pattern: /\bspam\b|\bjunk\b|\bunsolicited\b|\bbulk\b|\bdue to content\b/i, meaning: 'content_rejected' },
];

/** Words that speak of the address. They count where no enhanced code says more. */
export const HARD_WORDS: readonly Words[] = [
  { pattern: /\bdisabled\b/i, meaning: 'address_disabled' },
  {
    pattern:
      /\b(?:user|recipient|mailbox|account|address)\b.{0,60}\b(?:unknown|not found|does ?n[o']t exist|unavailable|invalid)\b|\b(?:unknown|no such|invalid) (?:\w+ )?(?:user|recipient|mailbox|account|address)\b/i,
    meaning: 'address_unknown',
  },
];

/** A name server itself said that the domain of the address does not exist or accepts no mail (RFC 7505). */
export const DNS_WORDS = /\bnull ?MX\b|\bNXDOMAIN\b|\b(?:host|domain)(?: name)? (?:not found|unknown)\b/i;
