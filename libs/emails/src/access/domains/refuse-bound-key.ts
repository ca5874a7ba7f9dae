import type { DomainDirectory } from '../../index.js';
import type { IdentifiedKey } from '../../shared/callers/account-resolver.js';
import { ApiError } from '../../shared/errors/api-error.js';

/**
 * A key that is bound to a domain is of no use where nothing knows the domains: it would be bound to none.
 *
 * @throws ApiError 403
 */
export function refuseBoundKey({ caller }: IdentifiedKey, directory: DomainDirectory | undefined): void {
  if (caller.domainId === undefined || directory !== undefined) return;
  throw new ApiError(403, 'restricted_api_key', 'This API key is bound to a domain, and this server has no domains.');
}
