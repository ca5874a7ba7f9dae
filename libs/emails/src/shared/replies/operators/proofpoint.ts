import type { Operator } from './operator.js';

/** Proofpoint, and Proofpoint Essentials. */
export const PROOFPOINT: Operator = {
  name: 'proofpoint',
  hosts: ['pphosted.com', 'ppe-hosted.com', 'proofpoint.com'],
  replies: [
    {
      pattern: /\bUser email address is marked as invalid\b|\bThis is not a valid email address\b/i,
      meaning: 'address_unknown',
      corpus: 'proofpoint-003',
    },
    {
      pattern: /\bipcheck\.proofpoint\.com\b|\bproofpoint\.com\/dnsbl-lookup\b/i,
      meaning: 'policy_rejected',
      corpus: 'proofpoint-007',
    },
    {
      pattern: /\bAddress verification in progress\b/i,
      meaning: 'route_failed',
      corpus: 'proofpoint-006',
    },
  ],
};
