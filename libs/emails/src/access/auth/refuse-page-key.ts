import type { IdentifiedKey } from '../../shared/callers/account-resolver.js';
import type { Caller } from '../../shared/callers/caller.js';
import { ApiError } from '../../shared/errors/api-error.js';

/** The caller of a key. @throws ApiError 401 for a key that opens the page alone */
export function refusePageKey({ caller }: IdentifiedKey): Caller {
  if (caller.role !== undefined) throw ApiError.pageKey();
  return caller;
}
