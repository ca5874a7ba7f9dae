import type { Operator } from './operator.js';

/** Mimecast. */
export const MIMECAST: Operator = {
  name: 'mimecast',
  hosts: ['mimecast.com', 'mimecast.co.za', 'mimecast-offshore.com'],
  replies: [
    {
      pattern: /\b(?:user entry|envelope blocked|header[- ]based|account (?:in|out)bounds disabled|ip reputation)\b/i,
      meaning: 'policy_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/Mimecast.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\bmaximum email size exceeded\b/i,
      meaning: 'message_too_large',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/Mimecast.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\bInvalid Recipient - https:\/\/community\.mimecast\.com/i,
      meaning: 'address_unknown',
      corpus: 'mimecast-023',
    },
  ],
};
