import type { Suppression } from '../../api/types';
import { plainName } from '../../parts/plain-name';
import { TEXTS } from './texts';

/** In place of the address of an erased person (contract, section 5). */
const ERASED = 'erased@erased.invalid';

/** The address as it is shown. */
export function nameOf({ email }: Pick<Suppression, 'email'>): string {
  return isErased({ email }) ? TEXTS.erased : plainName(email);
}

/** True if the entry is kept without the address. */
export function isErased({ email }: Pick<Suppression, 'email'>): boolean {
  return email === ERASED;
}
