/** Status of a record, in Resend's words. */
export type RecordStatus = 'not_started' | 'pending' | 'verified' | 'failed' | 'temporary_failure';

export const RECORD_STATUSES: readonly RecordStatus[] = [
  'not_started',
  'pending',
  'verified',
  'failed',
  'temporary_failure',
];

/**
 * Status of a domain, in Resend's words. Domains of this server have one capability, sending, and so never a
 * `partially_…` status.
 */
export type DomainStatus = 'not_started' | 'pending' | 'verified' | 'failed';

export const DOMAIN_STATUSES: readonly DomainStatus[] = ['not_started', 'pending', 'verified', 'failed'];
