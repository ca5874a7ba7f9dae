import { FREEMAIL, type Operator } from './operator.js';

/** Exchange Online and Outlook.com. */
export const MICROSOFT: Operator = {
  name: 'microsoft',
  hosts: ['outlook.com', 'hotmail.com', 'office365.com', 'olc.protection.outlook.com'],
  mailboxes: {
    domains: [
      'outlook.com',
      'outlook.de',
      'outlook.es',
      'outlook.fr',
      'outlook.it',
      'hotmail.com',
      'hotmail.co.uk',
      'hotmail.de',
      'hotmail.es',
      'hotmail.fr',
      'hotmail.it',
      'live.com',
      'live.co.uk',
      'live.de',
      'live.fr',
      'live.nl',
      'msn.com',
    ],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern: /\bAccess denied, (?:spam abuse detected|banned sender|bad outbound sender)\b/i,
      meaning: 'policy_rejected',
      source: 'https://github.com/dougperkes/Visual-Graph-Explorer/issues/1',
      read: '2026-11-26',
    },
    {
      pattern: /\bUnfortunately, messages from\b|\b(?:SC|DY|OU|RP)-\d{3}\b/,
      meaning: 'policy_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/ExchangeOnline.pm',
      read: '2026-11-26',
    },
    {
      pattern:
        /\brecipient has exceeded (?:their|the) limit for the number of messages\b|\brecipient thread limit exceeded\b/i,
      meaning: 'policy_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/ExchangeOnline.pm',
      read: '2026-11-26',
    },
    {
      pattern:
        /\b5\.4\.1 (?:[[<]\S+[\]>]: )?(?:All )?recipient address(?:es)? rejected ?: Access denied\b.*(?:\.outlook\.com|EXOSmtpErrors)/i,
      meaning: 'address_unknown',
      source: 'https://github.com/zone-eu/zone-mta/pull/214',
      read: '2026-11-26',
    },
    {
      pattern: /\b5\.4\.1 (?:[[<]\S+[\]>]: )?(?:All )?recipient address(?:es)? rejected ?: Access denied\b/i,
      meaning: 'address_unknown',
      isOnlyAtHost: true,
      source: 'https://github.com/sisimai/rb-sisimai/issues/77',
      read: '2026-11-26',
    },
    {
      pattern: /\b5\.5\.0 Requested action not taken: mailbox unavailable\b/i,
      meaning: 'address_unknown',
      corpus: 'microsoft-019',
    },
    {
      pattern: /\bexceeded permitted limits within\b/i,
      meaning: 'policy_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/ExchangeOnline.pm',
      read: '2026-11-26',
    },
  ],
};
