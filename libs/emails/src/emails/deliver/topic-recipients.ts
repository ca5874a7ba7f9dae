import type { RecipientDecision, RecipientPolicy, RecipientQuestion } from '../ports/recipient-policy.js';
import type { TopicDecision, TopicPolicy } from '../ports/topic-policy.js';

/** Code of every refusal by the topic policy, for any reason (contract, section 2.3). */
const OPTED_OUT: RecipientDecision = { allowed: false, code: 'topic_opted_out' };

/** The topic policy as the last of the recipient policies. An address without a decision is refused. */
export class TopicRecipients implements RecipientPolicy {
  constructor(private readonly topicPolicy: TopicPolicy | undefined) {}

  async decide({ accountId, topicId, addresses }: RecipientQuestion): Promise<RecipientDecision[]> {
    if (topicId === null) return addresses.map(() => ({ allowed: true }));
    const decisions = await this.topicPolicy?.decide(accountId, topicId, addresses);
    return addresses.map((_, index) => decisionOf(decisions?.[index]));
  }
}

/** A malformed decision is kept: the check of all policies' answers refuses it. */
function decisionOf(decision: TopicDecision | undefined): RecipientDecision {
  if (decision === undefined || (decision?.allowed === false && typeof decision.reason === 'string')) return OPTED_OUT;
  return decision as RecipientDecision;
}
