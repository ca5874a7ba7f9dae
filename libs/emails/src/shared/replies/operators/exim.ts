import type { Operator } from './operator.js';

/** Exim. */
export const EXIM: Operator = {
  name: 'exim',
  hosts: [],
  replies: [
    {
      pattern: /\bsender verify fail\b|\bSender verify failed\b/i,
      meaning: 'policy_rejected',
      source: 'https://github.com/Exim/exim/blob/exim-4.96/src/src/acl.c',
      read: '2026-11-26',
    },
    {
      pattern: /\bretry time(?:out)? (?:exceeded|not reached)\b|\ball hosts (?:for \S+ )?have been failing\b/i,
      meaning: 'route_failed',
      source: 'https://github.com/Exim/exim/blob/exim-4.96/src/src/transports/smtp.c',
      read: '2026-11-26',
    },
    {
      pattern:
        /\ball relevant MX records point to non-existent hosts\b|\ban MX or SRV record indicated no SMTP service\b/i,
      meaning: 'domain_not_found',
      source: 'https://github.com/Exim/exim/blob/exim-4.96/src/src/routers/dnslookup.c',
      read: '2026-11-26',
    },
    {
      pattern: /\bUnrouteable address\b/i,
      meaning: 'address_unknown',
      source: 'https://github.com/Exim/exim/blob/exim-4.96/src/src/route.c',
      read: '2026-11-26',
    },
  ],
};
