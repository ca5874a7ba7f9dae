import type { SenderDecision, SenderPolicy, SenderQuestion } from '../../index.js';
import { domainOf } from '../../shared/mailbox/domain-of.js';
import type { KnownDomains } from '../keys/known-domains.js';

/**
 * Lets an account send from its verified domains alone: the domain of `from` itself, neither a parent nor a child. A domain
 * whose sending is disabled counts as not verified.
 */
export class VerifiedSenders implements SenderPolicy {
  constructor(
    private readonly domains: Pick<KnownDomains, 'find'>,
    private readonly exemptAccounts: readonly string[] = [],
  ) {}

  async decide({ accountId, from }: SenderQuestion): Promise<SenderDecision> {
    if (this.exemptAccounts.includes(accountId)) return { allowed: true };
    const name = domainOf(from);
    const domain = await this.domains.find(accountId, name);
    if (domain?.status === 'verified' && domain.sending) return { allowed: true };
    return {
      allowed: false,
      code: 'domain_not_verified',
      status: 403,
      name: 'validation_error',
      message: `The \`${name}\` domain is not verified. Please, add and verify your domain.`,
    };
  }
}
