import { storableText } from '../../shared/text/storable-text.js';
import type { RecipientDecision, RecipientPolicy, RecipientQuestion } from '../ports/recipient-policy.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { OwedEmail } from '../storage/delivery.repository.js';
import { TopicRecipients } from './topic-recipients.js';

/** Characters of a reason that are kept. */
const MAX_REASON = 500;
const CODE = /^[a-z0-9_]{1,50}$/;

/** The event of a refused recipient: `suppressed` by the suppression list, `failed` by any other policy. */
export interface Refusal {
  type: 'failed' | 'suppressed';
  /** Of the list its words, of others their code. */
  reason: string;
}

/** Addresses that a policy keeps back. */
export type Refused = ReadonlyMap<string, Refusal>;

/** All policies in their order: the suppression list, the host's others, the topic policy of emails with a topic. */
export class RecipientPolicies {
  private readonly withTopic: readonly RecipientPolicy[];
  private readonly others: readonly RecipientPolicy[];

  constructor(topicPolicy: TopicPolicy | undefined, others: readonly RecipientPolicy[] = []) {
    const lists = others.filter(isList);
    this.others = [...lists, ...others.filter((policy) => !isList(policy))];
    this.withTopic = [...this.others, new TopicRecipients(topicPolicy)];
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
  const refused = new Map<string, Refusal>();
  let allowed = question.addresses;
  for (const policy of policies) {
    if (allowed.length === 0) break;
    if (!isWanted()) throw new PolicyTooSlow();
    // Frozen, because a policy that sorted them would answer about others.
    const asked: readonly string[] = Object.freeze([...allowed]);
    const decisions = await policy.decide({ ...question, addresses: asked });
    if (!Array.isArray(decisions) || decisions.length !== asked.length) throw new InvalidPolicyAnswer();
    for (const [index, address] of asked.entries()) {
      const refusal = refusalOf(decisions[index], isList(policy));
      if (refusal) refused.set(address, refusal);
    }
    allowed = asked.filter((address) => !refused.has(address));
  }
  return refused;
}

/** What is recorded of an address that is refused; undefined when it is allowed. */
function refusalOf(decision: RecipientDecision | null | undefined, byList: boolean): Refusal | undefined {
  if (decision?.allowed === true) return undefined;
  if (decision?.allowed !== false) throw new InvalidPolicyAnswer();
  const { code, reason = code } = decision;
  if (typeof code !== 'string' || !CODE.test(code) || typeof reason !== 'string') throw new InvalidPolicyAnswer();
  return byList ? { type: 'suppressed', reason: storableText(reason, MAX_REASON) } : { type: 'failed', reason: code };
}

function isList({ isSuppressionList }: RecipientPolicy): boolean {
  return isSuppressionList === true;
}

class InvalidPolicyAnswer extends Error {
  override readonly name = 'InvalidPolicyAnswer';
}
