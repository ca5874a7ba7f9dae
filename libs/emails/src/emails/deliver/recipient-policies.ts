import { storableText } from '../../shared/text/storable-text.js';
import type { RecipientDecision, RecipientPolicy, RecipientQuestion } from '../ports/recipient-policy.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { OwedEmail } from '../storage/delivery.repository.js';
import { TopicRecipients } from './topic-recipients.js';

/** Characters of a reason that are kept. */
const MAX_REASON = 500;

/** What is recorded of a recipient who is kept back: `failed` by the topic, `suppressed` by any other policy. */
export interface Refusal {
  type: 'failed' | 'suppressed';
  reason: string;
}

/** Of whoever is kept back by the topic, whyever (contract, section 2.3). */
const OPTED_OUT: Refusal = { type: 'failed', reason: 'topic_opted_out' };

/** Addresses that a policy keeps back. */
export type Refused = ReadonlyMap<string, Refusal>;

/** A policy, and what is recorded of whom it keeps back for a reason. */
interface AskedPolicy {
  policy: RecipientPolicy;
  refusal: (reason: string) => Refusal;
}

/** Who is asked, in order: the topic policy of emails with a topic, then the host's others. */
export class RecipientPolicies {
  private readonly withTopic: readonly AskedPolicy[];
  private readonly others: readonly AskedPolicy[];

  constructor(topicPolicy: TopicPolicy | undefined, others: readonly RecipientPolicy[] = []) {
    this.others = others.map((policy) => ({ policy, refusal: (reason) => ({ type: 'suppressed', reason }) }));
    this.withTopic = [{ policy: new TopicRecipients(topicPolicy), refusal: () => OPTED_OUT }, ...this.others];
  }

  of({ topicId }: Pick<OwedEmail, 'topicId'>): readonly AskedPolicy[] {
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
  policies: readonly AskedPolicy[],
  question: RecipientQuestion,
  isWanted: () => boolean,
): Promise<Refused> {
  const refused = new Map<string, Refusal>();
  let allowed = question.addresses;
  for (const { policy, refusal } of policies) {
    if (allowed.length === 0) break;
    if (!isWanted()) throw new PolicyTooSlow();
    // Frozen, because a policy that sorted them would answer about others.
    const asked: readonly string[] = Object.freeze([...allowed]);
    const decisions = await policy.decide({ ...question, addresses: asked });
    if (!Array.isArray(decisions) || decisions.length !== asked.length) throw new InvalidPolicyAnswer();
    for (const [index, address] of asked.entries()) {
      const reason = reasonOf(decisions[index]);
      if (reason !== undefined) refused.set(address, refusal(reason));
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
