/** Why an address is on the list. */
export const SUPPRESSION_ORIGINS = ['bounce', 'complaint', 'manual'] as const;

/** One of `SUPPRESSION_ORIGINS`. */
export type SuppressionOrigin = (typeof SUPPRESSION_ORIGINS)[number];
