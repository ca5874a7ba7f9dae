import { FREEMAIL, type Operator } from './operator.js';

/** Comcast (Xfinity). */
export const COMCAST: Operator = {
  name: 'comcast',
  hosts: ['comcast.net'],
  mailboxes: {
    domains: ['comcast.net'],
    ...FREEMAIL,
  },
  replies: [
    {
      pattern: /\bextended quota violation\b|\brecipient rejected - quota\b/i,
      meaning: 'mailbox_full',
      corpus: 'comcast-006',
    },
    {
      pattern: /\bNot our Customer\b|\brecipient mailbox unallocated\b/i,
      meaning: 'address_unknown',
      corpus: 'comcast-003',
    },
    {
      pattern: /\b(?:BL|ES|RL|PH|DM)0{3,4}\d{2,5}\b/,
      meaning: 'policy_rejected',
      corpus: 'comcast-005',
    },
  ],
};
