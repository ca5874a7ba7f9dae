import type { RecipientDecision, RecipientPolicy, RecipientQuestion } from '../ports/recipient-policy.js';
import type { TopicPolicy } from '../ports/topic-policy.js';

const UNKNOWN: RecipientDecision = { allowed: false, reason: 'Topics are not available.' };

/** The topic policy as the first of the recipient policies. Whoever it says nothing of is refused. */
export class TopicRecipients implements RecipientPolicy {
  constructor(private readonly topicPolicy: TopicPolicy | undefined) {}

  async decide({ accountId, topicId, addresses }: RecipientQuestion): Promise<RecipientDecision[]> {
    if (topicId === null) return addresses.map(() => ({ allowed: true }));
    const decisions = await this.topicPolicy?.decide(accountId, topicId, addresses);
    return addresses.map((_, index) => decisions?.[index] ?? UNKNOWN);
  }
}
