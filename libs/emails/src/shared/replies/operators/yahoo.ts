import type { Operator } from './operator.js';

/** Yahoo Mail and AOL. */
export const YAHOO: Operator = {
  name: 'yahoo',
  hosts: ['yahoodns.net', 'yahoo.com', 'yahoo.co.jp', 'aol.com', 'aim.com'],
  replies: [
    {
      pattern: /\((?:RTR|HVU|DNS|RLY|DYN|CON|ISP|HTM|FSV|IPT|GEN|SDI|SPE):\w+\)/,
      meaning: 'policy_rejected',
      source: 'http://postmaster.aol.com/errors/',
      read: '2026-11-26',
    },
    {
      pattern: /\bThis user doesn't have an? \S+ account\b/i,
      meaning: 'address_unknown',
      source: 'https://help.yahoo.com/kb/mail-for-desktop/SLN3444.html',
      read: '2026-11-26',
    },
    {
      pattern:
        /\b(?:this mailbox is disabled|account has been disabled or discontinued)\b|\bdelivery error: dd \S+ is no longer valid\b/i,
      meaning: 'address_disabled',
      source: 'https://bentonow.com/smtp-errors/yahoo',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:mailbox not found|not a valid mailbox)\b/i,
      meaning: 'address_unknown',
      source: 'https://smtp.codes/yahoo',
      read: '2026-11-26',
    },
    {
      pattern: /\[(?:TSS?\d\d|BL\d\d|IPTS\d\d|GL\d\d)\]/,
      meaning: 'policy_rejected',
      source: 'https://smtp.codes/yahoo',
      read: '2026-11-26',
    },
    {
      pattern: /\bMessage not allowed - /i,
      meaning: 'policy_rejected',
      source: 'https://smtp.codes/yahoo',
      read: '2026-11-26',
    },
  ],
};
