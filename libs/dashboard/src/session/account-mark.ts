import { createHash } from 'node:crypto';
import type { Caller } from 'nestjs-emails';

/**
 * Mark by which the page distinguishes accounts: it shows whether another one has signed in. The id itself stays
 * private to the host.
 */
export function accountMark({ accountId }: Caller): string {
  return createHash('sha256').update(accountId).digest('base64url');
}
