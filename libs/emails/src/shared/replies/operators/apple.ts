import type { Operator } from './operator.js';

/** iCloud Mail. */
export const APPLE: Operator = {
  name: 'apple',
  hosts: ['icloud.com', 'me.com', 'mac.com'],
  replies: [
    {
      pattern: /\bdeferred due to excessive volume\b/i,
      meaning: 'policy_rejected',
      source: 'https://smtp.codes/icloud',
      read: '2026-11-26',
    },
    {
      pattern: /\brecipient no longer on server\b/i,
      meaning: 'address_unknown',
      source: 'https://support.apple.com/en-us/102322',
      read: '2026-11-26',
    },
    {
      pattern: /\[(?:CS|HM|LC)\d\d\]/,
      meaning: 'policy_rejected',
      source: 'https://smtp.codes/icloud',
      read: '2026-11-26',
    },
  ],
};
