import { addressKey } from '../../shared/mailbox/address-key.js';
import { domainOf } from '../../shared/mailbox/domain-of.js';
import type { RecipientDecision, RecipientPolicy, RecipientQuestion } from '../ports/recipient-policy.js';
import type { ReasonCode } from '../states/reason-codes.js';
import { allowedOf } from './allowed-entry.js';

const CODE: ReasonCode = 'not_allowed_here';

/** `delivery.onlyTo`: only these addresses and domains get mail. Spellings of an address do not count (`addressKey`). */
export class AllowedRecipients implements RecipientPolicy {
  private readonly allowed: ReadonlySet<string>;

  /** @param onlyTo addresses, and domains without their subdomains */
  constructor(onlyTo: readonly string[]) {
    this.allowed = new Set(onlyTo.map(allowedOf));
  }

  async decide({ addresses }: RecipientQuestion): Promise<RecipientDecision[]> {
    return addresses.map((address) => (this.allows(address) ? { allowed: true } : { allowed: false, code: CODE }));
  }

  private allows(address: string): boolean {
    return this.allowed.has(addressKey(address)) || this.allowed.has(domainOf(address).toLowerCase());
  }
}
