import type { Caller } from './caller.js';
import { seesContents } from './page-role.js';

/** An object with content as a caller may see it: without html and text for one who sees no contents. */
export function asSeenBy<Shown extends { html: string | null; text: string | null }>(
  caller: Pick<Caller, 'role'>,
  shown: Shown,
): Shown {
  return seesContents(caller) ? shown : { ...shown, html: null, text: null };
}
