import type { SigningKey, SigningKeys } from '../signing/signing-keys.js';
import { isDevelopmentDomain } from './is-development-domain.js';

/** Knows if an account has domains of its own. */
export interface DomainOwners {
  /** True if the account has a domain, whatever its state. */
  hasAny(accountId: string): Promise<boolean>;
}

/**
 * Adds a key to those of the accounts' domains: it signs mail from domains that exist nowhere, for accounts without domains.
 * For mail that goes to an inbox on this machine, which knows the key: nothing of it is in the database or in DNS.
 */
export class DevelopmentSigningKeys implements SigningKeys {
  private readonly own: readonly SigningKey[];

  constructor(
    private readonly keys: Pick<SigningKeys, 'of'>,
    private readonly owners: DomainOwners,
    key: SigningKey,
  ) {
    this.own = [key];
  }

  async of(accountId: string, fromDomain: string): Promise<readonly SigningKey[]> {
    const keys = await this.keys.of(accountId, fromDomain);
    if (keys.length > 0 || !isDevelopmentDomain(fromDomain)) return keys;
    return (await this.owners.hasAny(accountId)) ? keys : this.own;
  }
}
