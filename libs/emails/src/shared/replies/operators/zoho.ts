import type { Operator } from './operator.js';

/** Zoho Mail. */
export const ZOHO: Operator = {
  name: 'zoho',
  hosts: ['zoho.com', 'zoho.eu', 'zoho.in', 'zohomail.com'],
  replies: [
    {
      pattern: /\bMailbox delivery (?:failure policy|restricted by policy)/i,
      meaning: 'policy_rejected',
      source: 'https://smtp.codes/zoho',
      read: '2026-11-26',
    },
    {
      pattern: /\bEmail policy violation detected\b|\bMail rejected by destination domain\b/i,
      meaning: 'policy_rejected',
      source: 'https://smtp.codes/zoho',
      read: '2026-11-26',
    },
    {
      pattern: /\bvirus .{0,80} detected by Zoho\b/i,
      meaning: 'attachment_rejected',
      source: 'https://smtp.codes/zoho',
      read: '2026-11-26',
    },
    {
      pattern: /\bUnusual sending activity detected\b/i,
      meaning: 'sender_limit',
      source: 'https://www.zoho.com/mail/help/unusual-sending-activity.html',
      read: '2026-11-26',
    },
  ],
};
