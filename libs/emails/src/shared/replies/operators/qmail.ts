import type { Operator } from './operator.js';

/** qmail and its patches, which write the status at the end. */
export const QMAIL: Operator = {
  name: 'qmail',
  hosts: [],
  replies: [
    {
      pattern: /\bno mail ?box here by that name\b|\bnot in my validrcptto list\b/i,
      meaning: 'address_unknown',
      source: 'https://gitlab.com/warsaw/flufl.bounce/-/blob/4.0/flufl/bounce/tests/data/qmail_03.txt',
      read: '2026-11-26',
    },
  ],
};
