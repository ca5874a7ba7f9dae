import { storableText } from '../../shared/text/storable-text.js';
import type { RecipientDecision, RecipientPolicy, RecipientQuestion } from '../ports/recipient-policy.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { OwedEmail } from '../storage/delivery.repository.js';
import { TopicRecipients } from './topic-recipients.js';

/** Characters of a reason that are kept. */
const MAX_REASON = 500;

/** Addresses that a policy keeps back, with its reason. */
export type Refused = ReadonlyMap<string, string>;

/** Who is asked, in order: the topic policy of emails with a topic, then the host's others. */
export class RecipientPolicies {
  private readonly withTopic: readonly RecipientPolicy[];

  constructor(
    topicPolicy: TopicPolicy | undefined,
    private readonly others: readonly RecipientPolicy[] = [],
  ) {
    this.withTopic = [new TopicRecipients(topicPolicy), ...others];
  }

  of({ topicId }: Pick<OwedEmail, 'topicId'>): readonly RecipientPolicy[] {
    return topicId === null ? this.others : this.withTopic;
  }
}

export class PolicyTooSlow extends Error {
  override readonly name = 'PolicyTooSlow';
}

/**
 * Asks each policy about those whom the ones before it allow, and none about nobody. The first refusal counts.
 *
 * @param isWanted whether somebody still waits for the answer; nobody is asked for one that nobody wants
 * @throws PolicyTooSlow then
 * @throws InvalidPolicyAnswer when an answer is not one decision for each address: whom it means is not guessed
 */
export async function askInOrder(
  policies: readonly RecipientPolicy[],
  question: RecipientQuestion,
  isWanted: () => boolean,
): Promise<Refused> {
  const refused = new Map<string, string>();
  let allowed = question.addresses;
  for (const policy of policies) {
    if (allowed.length === 0) break;
    if (!isWanted()) throw new PolicyTooSlow();
    // Frozen, because a policy that sorted them would answer about others.
    const asked: readonly string[] = Object.freeze([...allowed]);
    const decisions = await policy.decide({ ...question, addresses: asked });
    if (!Array.isArray(decisions) || decisions.length !== asked.length) throw new InvalidPolicyAnswer();
    for (const [index, address] of asked.entries()) {
      const reason = reasonOf(decisions[index]);
      if (reason !== undefined) refused.set(address, reason);
    }
    allowed = asked.filter((address) => !refused.has(address));
  }
  return refused;
}

/** Why an address is refused; undefined when it is allowed. */
function reasonOf(decision: Partial<RecipientDecision> | null | undefined): string | undefined {
  if (decision?.allowed === true) return undefined;
  if (decision?.allowed !== false || typeof decision.reason !== 'string') throw new InvalidPolicyAnswer();
  return storableText(decision.reason, MAX_REASON);
}

class InvalidPolicyAnswer extends Error {
  override readonly name = 'InvalidPolicyAnswer';
}
