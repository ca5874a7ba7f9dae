import { queryOf } from '../api/client';

/** The screen of suppressions with the entry of an address, if there is one. */
export function suppressionLink(address: string): string {
  return `/suppressions${queryOf({ find: address })}`;
}
