import type { Operator } from './operator.js';

/** Barracuda gateways. */
export const BARRACUDA: Operator = {
  name: 'barracuda',
  hosts: ['barracudanetworks.com'],
  replies: [
    {
      pattern: /\bcuda_nsu\b/,
      meaning: 'address_unknown',
      source: 'https://smtp.codes/550',
      read: '2026-11-26',
    },
    {
      pattern: /^(?:\d{3} )?(?:permanent failure for one or more recipients \([^)]{0,200}:)?blocked\)?\.?$/i,
      meaning: 'policy_rejected',
      source:
        'https://www.suped.com/learn/blocklists/why-are-my-emails-blocked-by-barracuda-even-when-not-listed-on-blocklists',
      read: '2026-11-26',
    },
    {
      pattern: /\brejecting banned content\b|\brejected due to spam\b/i,
      meaning: 'content_rejected',
      source: 'https://smtp.codes/barracuda',
      read: '2026-11-26',
    },
    {
      pattern: /\bMessage content rejected, UBE\b/i,
      meaning: 'content_rejected',
      source: 'https://smtp.codes/barracuda',
      read: '2026-11-26',
    },
  ],
};
