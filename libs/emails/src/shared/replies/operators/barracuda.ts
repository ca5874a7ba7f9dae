import type { Operator } from './operator.js';

/** Barracuda gateways. */
export const BARRACUDA: Operator = {
  name: 'barracuda',
  hosts: ['barracudanetworks.com'],
  replies: [
    {
      pattern: /\bcuda_nsu\b/,
      meaning: 'address_unknown',
      corpus: 'barracuda-001',
    },
    {
      pattern: /^(?:\d{3} )?(?:permanent failure for one or more recipients \([^)]{0,200}:)?blocked\)?\.?$/i,
      meaning: 'policy_rejected',
      corpus: 'barracuda-003',
    },
    {
      pattern: /\brejecting banned content\b|\brejected due to spam\b/i,
      meaning: 'content_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Reason/SpamDetected.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\bMessage content rejected, UBE\b/i,
      meaning: 'content_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Reason/SpamDetected.pm',
      read: '2026-11-26',
    },
  ],
};
