import type { Operator } from './operator.js';

/** Exchange Online and Outlook.com. */
export const MICROSOFT: Operator = {
  name: 'microsoft',
  hosts: ['outlook.com', 'hotmail.com', 'office365.com', 'olc.protection.outlook.com'],
  replies: [
    {
      pattern: /\bUnfortunately, messages from\b|\b(?:SC|DY|OU|RP)-\d{3}\b/,
      meaning: 'policy_rejected',
      source: 'https://blue-canoe.com/tutorials/ms-dsn-bounce-codes',
      read: '2026-11-26',
    },
    {
      pattern:
        /\brecipient has exceeded (?:their|the) limit for the number of messages\b|\brecipient thread limit exceeded\b/i,
      meaning: 'policy_rejected',
      source:
        'https://learn.microsoft.com/en-us/troubleshoot/exchange/email-delivery/ndr/non-delivery-reports-in-exchange-online',
      read: '2026-11-26',
    },
    {
      pattern:
        /\b5\.4\.1 (?:[[<]\S+[\]>]: )?(?:All )?recipient address(?:es)? rejected ?: Access denied\b.*(?:\.outlook\.com|EXOSmtpErrors)/i,
      meaning: 'address_unknown',
      source: 'https://www.spamresource.com/2023/09/microsoft-multiple-types-of-invalid.html',
      read: '2026-11-26',
    },
    {
      pattern: /\b5\.4\.1 (?:[[<]\S+[\]>]: )?(?:All )?recipient address(?:es)? rejected ?: Access denied\b/i,
      meaning: 'address_unknown',
      isOnlyAtHost: true,
      source: 'https://www.spamresource.com/2023/09/microsoft-multiple-types-of-invalid.html',
      read: '2026-11-26',
    },
    {
      pattern: /\b5\.5\.0 Requested action not taken: mailbox unavailable\b/i,
      meaning: 'address_unknown',
      source: 'https://www.spamresource.com/2023/09/microsoft-multiple-types-of-invalid.html',
      read: '2026-11-26',
    },
    {
      pattern: /\bexceeded permitted limits within\b/i,
      meaning: 'policy_rejected',
      source:
        'https://learn.microsoft.com/en-us/troubleshoot/exchange/email-delivery/ndr/non-delivery-reports-in-exchange-online',
      read: '2026-11-26',
    },
  ],
};
