import type { Operator } from './operator.js';

/** Orange, Wanadoo and La Poste, whose codes are the same. */
export const ORANGE: Operator = {
  name: 'orange',
  hosts: ['orange.fr', 'wanadoo.fr', 'laposte.net'],
  replies: [
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?(?:416|418)\b/,
      meaning: 'address_unknown',
      source: 'https://www.postmastery.com/orange-postmaster-smtp-error-codes-ofr/',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?(?:420|426)\b/,
      meaning: 'address_disabled',
      source: 'https://www.postmastery.com/orange-postmaster-smtp-error-codes-ofr/',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?(?:417)\b/,
      meaning: 'mailbox_full',
      source: 'https://www.postmastery.com/orange-postmaster-smtp-error-codes-ofr/',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?506\b/,
      meaning: 'content_rejected',
      source: 'https://www.postmastery.com/orange-postmaster-smtp-error-codes-ofr/',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?(?:10\d|30\d|40[0-9]|51\d|6[0-4]\d)\b|\b(?:OFR|LPN)\d{3}_10\b/,
      meaning: 'policy_rejected',
      source: 'https://bentonow.com/smtp-errors/orange',
      read: '2026-11-26',
    },
  ],
};
