import type { Operator } from './operator.js';

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
  replies: [
    {
      pattern:
        /\bNemesis ESMTP Service not available\b|\bpostmaster\.(?:gmx|web|1und1|mail)\.\w+\/\w+\/case\?c=(?:hi|r\d+|rdns)/i,
      meaning: 'policy_rejected',
      source: 'https://postmaster.gmx.com/en/error-messages',
      read: '2026-11-26',
    },
    {
      pattern: /\bBenutzer hat (?:das Speichervolumen|zuviele Mails)|\bexceeded storage allocation\b/i,
      meaning: 'mailbox_full',
      source:
        'http://www.sitepackage.de/service/dokumentation/auswertung/typische-fehlermeldungen-bei-unzustellbarkeit.html',
      read: '2026-11-26',
    },
    {
      pattern: /\bUnknown local part\b|\bBenutzer nicht bekannt\b/i,
      meaning: 'address_unknown',
      source:
        'http://www.sitepackage.de/service/dokumentation/auswertung/typische-fehlermeldungen-bei-unzustellbarkeit.html',
      read: '2026-11-26',
    },
    {
      pattern: /\bUser is inactive\b/i,
      meaning: 'address_disabled',
      source:
        'http://www.sitepackage.de/service/dokumentation/auswertung/typische-fehlermeldungen-bei-unzustellbarkeit.html',
      read: '2026-11-26',
    },
  ],
};
