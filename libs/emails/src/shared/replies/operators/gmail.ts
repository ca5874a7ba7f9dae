import { FREEMAIL, type Operator } from './operator.js';

/** Gmail and Google Workspace, as receiver and as relay. */
export const GMAIL: Operator = {
  name: 'gmail',
  hosts: ['google.com', 'googlemail.com', 'gmail.com'],
  mailboxes: {
    domains: ['gmail.com', 'googlemail.com'],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern:
        /\b(?:daily|peak) (?:user sending|smtp relay(?: sending)?) (?:quota|limit) exceeded\b|\breached a limit for sending mail\b/i,
      meaning: 'sender_limit',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/GoogleApps.pm',
      read: '2026-11-26',
    },
    {
      pattern:
        /\breceiving mail (?:too quickly|at a rate)\b|\bexceeded its quota for sending messages with the same\b|\bunusual rate of unsolicited mail\b/i,
      meaning: 'policy_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/GoogleApps.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:email )?account that you tried to reach is (?:disabled|inactive)\b|\?p=DisabledUser\b/i,
      meaning: 'address_disabled',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/GoogleApps.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:email )?account that you tried to reach does not exist\b|\?p=NoSuchUser\b/i,
      meaning: 'address_unknown',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/GoogleApps.pm',
      read: '2026-11-26',
    },
    {
      pattern:
        /\b(?:account that you tried to reach is over quota|recipient's inbox is out of storage)\b|\?p=OverQuota\w+/i,
      meaning: 'mailbox_full',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/GoogleApps.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\bweren't able to find the recipient domain\b/i,
      meaning: 'domain_not_found',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/GoogleApps.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\brecipient address <[^>]*> is not a valid RFC/i,
      meaning: 'address_invalid',
      corpus: 'google-070',
    },
    {
      pattern: /\bcontent presents a potential security issue\b/i,
      meaning: 'attachment_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/GoogleApps.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\bnature of the content or the links within\b/i,
      meaning: 'content_rejected',
      corpus: 'google-015',
    },
  ],
};
