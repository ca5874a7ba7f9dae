import type { Suppression } from '../../api/types';
import { ERASED_ADDRESS } from '../../parts/erased-address';
import { plainName } from '../../parts/plain-name';
import { TEXTS } from './texts';

/** The address as it is shown. */
export function nameOf({ email }: Pick<Suppression, 'email'>): string {
  return isErased({ email }) ? TEXTS.erased : plainName(email);
}

/** True if the entry is kept without the address. */
export function isErased({ email }: Pick<Suppression, 'email'>): boolean {
  return email === ERASED_ADDRESS;
}
