import type { Suppression } from '../../api/types';
import { ORIGINS, TEXTS } from './texts';

/** Why an address gets no mail, in a sentence. */
export function whyOf({ origin, expires_at: expiresAt }: Pick<Suppression, 'origin' | 'expires_at'>): string {
  return origin === 'bounce' && expiresAt !== null ? TEXTS.softWhy : ORIGINS[origin].why;
}
