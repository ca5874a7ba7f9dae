import { FREEMAIL, type Operator } from './operator.js';

/** GMX, web.de, mail.com and IONOS. */
export const GMX_WEBDE: Operator = {
  name: 'gmx-webde',
  hosts: [
    'gmx.net',
    'gmx.de',
    'gmx.com',
    'web.de',
    'mail.com',
    'kundenserver.de',
    'ionos.de',
    'ionos.com',
    '1and1.com',
  ],
  mailboxes: {
    domains: ['gmx.net', 'gmx.de', 'gmx.com', 'gmx.at', 'web.de', 'mail.com'],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern:
        /\bNemesis ESMTP Service not available\b|\bpostmaster\.(?:gmx|web|1und1|mail)\.\w+\/\w+\/case\?c=(?:hi|r\d+|rdns)/i,
      meaning: 'policy_rejected',
      corpus: 'ionos-004',
    },
    {
      pattern: /\bBenutzer hat (?:das Speichervolumen|zuviele Mails)|\bexceeded storage allocation\b/i,
      meaning: 'mailbox_full',
      corpus: 'webde-004',
    },
    {
      pattern: /\bUnknown local part\b|\bBenutzer nicht bekannt\b/i,
      meaning: 'address_unknown',
      corpus: 'webde-003',
    },
    {
      pattern: /\bUser is inactive\b/i,
      meaning: 'address_disabled',
      isOnlyAtHost: true,
      corpus: 'gmx-011',
    },
  ],
};
