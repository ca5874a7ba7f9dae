import { domainOf } from '../../shared/mailbox/domain-of.js';
import type { EmailsOptions } from '../emails.options.js';
import type { DomainDirectory } from '../ports/domain-directory.js';
import type { SenderDecision, SenderPolicy, SenderQuestion } from '../ports/sender-policy.js';

/** Lets a key that is bound to a domain send from that domain alone; once the domain is deleted, from none. */
export class BoundKeysPolicy implements SenderPolicy {
  constructor(private readonly directory: Pick<DomainDirectory, 'nameOf'>) {}

  async decide({ accountId, from, domainId }: SenderQuestion): Promise<SenderDecision> {
    if (domainId === undefined) return { allowed: true };
    const name = domainOf(from);
    if ((await this.directory.nameOf(accountId, domainId)) === name) return { allowed: true };
    return {
      allowed: false,
      code: 'restricted_api_key',
      status: 403,
      message: `This API key is not authorized to send emails from ${name}`,
    };
  }
}

/** Options that decide who may send. */
type SenderOptions = { [Name in 'senderPolicies' | 'domainDirectory']?: EmailsOptions[Name] | undefined };

/** The sender policies of the application, behind that of bound keys where something knows the domains. */
export function senderPoliciesOf({ senderPolicies = [], domainDirectory }: SenderOptions): readonly SenderPolicy[] {
  return domainDirectory ? [new BoundKeysPolicy(domainDirectory), ...senderPolicies] : senderPolicies;
}
