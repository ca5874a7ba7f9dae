import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import type { RecipientDecision, RecipientPolicy, RecipientQuestion } from '../ports/recipient-policy.js';
import { checkedDecision } from '../ports/sender-decision.check.js';
import type { SenderPolicy } from '../ports/sender-policy.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';

/** A sender policy as the first of the recipient policies: it allows all recipients of an email, or none. */
export class SenderRecipients implements RecipientPolicy {
  constructor(
    private readonly policy: SenderPolicy,
    private readonly email: Pick<PendingEmail, 'from' | 'apiKeyId' | 'domainId'>,
  ) {}

  async decide({ accountId, addresses }: RecipientQuestion): Promise<RecipientDecision[]> {
    const { from, apiKeyId, domainId } = this.email;
    const decided = await this.policy.decide({
      accountId,
      from: parseMailbox(from).envelope,
      ...(apiKeyId !== null && { apiKeyId }),
      ...(domainId !== null && { domainId }),
    });
    const decision = checkedDecision(decided);
    return addresses.map(() => (decision.allowed ? decision : { allowed: false, code: decision.code }));
  }
}
