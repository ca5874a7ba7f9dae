/** Why an address is on the suppression list, in the terms of webhooks (contract, section 8). */
export const SUPPRESSION_REASONS = ['previous_bounce', 'previous_complaint', 'manual'] as const;

/** One of `SUPPRESSION_REASONS`. */
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];
