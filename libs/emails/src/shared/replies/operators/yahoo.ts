import { FREEMAIL, type Operator } from './operator.js';

/** Yahoo Mail and AOL. */
export const YAHOO: Operator = {
  name: 'yahoo',
  hosts: ['yahoodns.net', 'yahoo.com', 'yahoo.co.jp', 'aol.com', 'aim.com'],
  mailboxes: {
    domains: [
      'yahoo.com',
      'yahoo.co.uk',
      'yahoo.co.in',
      'yahoo.co.jp',
      'yahoo.com.br',
      'yahoo.ca',
      'yahoo.de',
      'yahoo.es',
      'yahoo.fr',
      'yahoo.it',
      'ymail.com',
      'rocketmail.com',
      'aol.com',
      'aim.com',
    ],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern: /\((?:RTR|HVU|DNS|RLY|DYN|CON|ISP|HTM|FSV|IPT|GEN|SDI|SPE):\w+\)/,
      meaning: 'policy_rejected',
      corpus: 'aol-002',
    },
    {
      pattern: /\bThis user doesn't have an? \S+ account\b/i,
      meaning: 'address_unknown',
      source: 'https://gitlab.com/warsaw/flufl.bounce/-/blob/4.0/flufl/bounce/tests/data/yahoo_10.txt',
      read: '2026-11-26',
    },
    {
      pattern:
        /\b(?:this mailbox is disabled|account has been disabled or discontinued)\b|\bdelivery error: dd \S+ is no longer valid\b/i,
      meaning: 'address_disabled',
      source: 'https://gitlab.com/warsaw/flufl.bounce/-/blob/4.0/flufl/bounce/tests/data/yahoo_03.txt',
      read: '2026-11-26',
    },
    {
      pattern: /\bRequested mail action aborted, mailbox not found\b/i,
      meaning: 'address_unknown',
      corpus: 'yahoo-015',
    },
    {
      pattern: /\b(?:mailbox not found|not a valid mailbox)\b/i,
      meaning: 'address_unknown',
      isOnlyAtHost: true,
      corpus: 'aol-001',
    },
    {
      pattern: /\[(?:TSS?\d\d|BL\d\d|IPTS\d\d|GL\d\d)\]/,
      meaning: 'policy_rejected',
      source: 'https://github.com/postalserver/docs/issues/17',
      read: '2026-11-26',
    },
    {
      pattern: /\bMessage not allowed - /i,
      meaning: 'policy_rejected',
      corpus: 'yahoo-005',
    },
  ],
};
