import { createHash } from 'node:crypto';
import type { Caller } from 'nestjs-emails';

/** What the page tells accounts apart by: that somebody else signed in where one was before. The id itself is the host's own. */
export function accountMark({ accountId }: Caller): string {
  return createHash('sha256').update(accountId).digest('base64url');
}
