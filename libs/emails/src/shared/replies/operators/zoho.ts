import { FREEMAIL, type Operator } from './operator.js';

/** Zoho Mail. */
export const ZOHO: Operator = {
  name: 'zoho',
  hosts: ['zoho.com', 'zoho.eu', 'zoho.in', 'zohomail.com'],
  mailboxes: {
    domains: ['zoho.com'],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern: /\bMailPolicy violation\b/i,
      meaning: 'policy_rejected',
      corpus: 'zoho-009',
    },
    {
      pattern: /\bMailbox delivery (?:failure policy|restricted by policy)/i,
      meaning: 'policy_rejected',
      corpus: 'zoho-011',
    },
    {
      pattern: /\bEmail policy violation detected\b|\bMail rejected by destination domain\b/i,
      meaning: 'policy_rejected',
      corpus: 'zoho-004',
    },
    {
      pattern: /\bvirus .{0,80} detected by Zoho\b/i,
      meaning: 'attachment_rejected',
      corpus: 'zoho-008',
    },
    {
      pattern: /\bUnusual sending activity detected\b/i,
      meaning: 'sender_limit',
      source: 'https://github.com/cachethq/cachet/issues/3052',
      read: '2026-11-26',
    },
  ],
};
