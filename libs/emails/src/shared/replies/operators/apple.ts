import { FREEMAIL, type Operator } from './operator.js';

/** iCloud Mail. */
export const APPLE: Operator = {
  name: 'apple',
  hosts: ['icloud.com', 'me.com', 'mac.com'],
  mailboxes: {
    domains: ['icloud.com', 'me.com', 'mac.com'],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern: /\bdeferred due to excessive volume\b/i,
      meaning: 'policy_rejected',
      corpus: 'apple-012',
    },
    {
      pattern: /\brecipient no longer on server\b/i,
      meaning: 'address_unknown',
      source: 'https://github.com/customeros/mailsherpa/issues/19',
      read: '2026-11-26',
    },
    {
      pattern: /\[(?:CS|HM|LC)\d\d\]/,
      meaning: 'policy_rejected',
      corpus: 'apple-010',
    },
  ],
};
