import { createHash } from 'node:crypto';

/**
 * Mark by which the page distinguishes accounts: it shows whether another one has signed in. The id itself stays
 * private to the host.
 */
export function accountMark(accountId: string): string {
  return createHash('sha256').update(accountId).digest('base64url');
}
