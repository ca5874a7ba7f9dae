import type { Operator } from './operator.js';

/** Comcast (Xfinity). */
export const COMCAST: Operator = {
  name: 'comcast',
  hosts: ['comcast.net'],
  replies: [
    {
      pattern: /\bextended quota violation\b|\brecipient rejected - quota\b/i,
      meaning: 'mailbox_full',
      source: 'https://smtp.codes/550',
      read: '2026-11-26',
    },
    {
      pattern: /\bNot our Customer\b|\brecipient mailbox unallocated\b/i,
      meaning: 'address_unknown',
      source: 'https://smtp.codes/550',
      read: '2026-11-26',
    },
    {
      pattern: /\b(?:BL|ES|RL|PH|DM)0{3,4}\d{2,5}\b/,
      meaning: 'policy_rejected',
      source: 'http://postmaster.comcast.net/mail-error-codes.html',
      read: '2026-11-26',
    },
  ],
};
