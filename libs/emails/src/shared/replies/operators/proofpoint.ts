import type { Operator } from './operator.js';

/** Proofpoint, and Proofpoint Essentials. */
export const PROOFPOINT: Operator = {
  name: 'proofpoint',
  hosts: ['pphosted.com', 'ppe-hosted.com', 'proofpoint.com'],
  replies: [
    {
      pattern: /\bUser email address is marked as invalid\b|\bThis is not a valid email address\b/i,
      meaning: 'address_unknown',
      source: 'https://grokipedia.com/page/Proofpoint_unrecognized_user_rejection',
      read: '2026-11-26',
    },
    {
      pattern: /\bipcheck\.proofpoint\.com\b|\bproofpoint\.com\/dnsbl-lookup\b/i,
      meaning: 'policy_rejected',
      source: 'https://smtp.codes/550',
      read: '2026-11-26',
    },
    {
      pattern: /\bAddress verification in progress\b/i,
      meaning: 'route_failed',
      source: 'https://smtp.codes/550',
      read: '2026-11-26',
    },
  ],
};
