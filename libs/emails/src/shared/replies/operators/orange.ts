import { FREEMAIL, type Operator } from './operator.js';

/** Orange, Wanadoo and La Poste, whose codes are the same. */
export const ORANGE: Operator = {
  name: 'orange',
  hosts: ['orange.fr', 'wanadoo.fr', 'laposte.net'],
  mailboxes: {
    domains: ['orange.fr', 'wanadoo.fr', 'laposte.net'],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?505\b/i,
      meaning: 'route_failed',
      source: 'https://github.com/sisimai/p5-sisimai/pull/353',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?(?:416|418)\b/i,
      meaning: 'address_unknown',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/FrancePTT.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?(?:420|426)\b/i,
      meaning: 'address_disabled',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/FrancePTT.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?(?:417)\b/i,
      meaning: 'mailbox_full',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/FrancePTT.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?506\b/i,
      meaning: 'content_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/FrancePTT.pm',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:OFR|LPN)\d{0,3}_?(?:10\d|30\d|40[0-9]|51\d|6[0-4]\d)\b|\b(?:OFR|LPN)\d{3}_10\b/i,
      meaning: 'policy_rejected',
      source: 'https://github.com/sisimai/p5-sisimai/blob/v4.25.15/lib/Sisimai/Rhost/FrancePTT.pm',
      read: '2026-11-26',
    },
  ],
};
