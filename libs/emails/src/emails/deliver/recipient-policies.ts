import { MAX_REASON, storableText } from '../../shared/text/storable-text.js';
import { InvalidPolicyAnswer } from '../ports/invalid-policy-answer.js';
import type {
  RecipientDecision,
  RecipientPolicy,
  RecipientQuestion,
  RefusedBySuppression,
} from '../ports/recipient-policy.js';
import type { SenderPolicy } from '../ports/sender-policy.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import { REASON_CODE } from '../states/reason-codes.js';
import { SUPPRESSION_REASONS } from '../states/suppression-reasons.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import { SenderRecipients } from './sender-recipients.js';
import { TopicRecipients } from './topic-recipients.js';

/** How long the sender policies' answer at acceptance holds. Milliseconds. */
const SENDER_HOLDS = 3_600_000;

/** The event of a refused recipient: `suppressed` by the suppression list, `failed` by any other policy. */
export interface Refusal {
  type: 'failed' | 'suppressed';
  /** The words of the suppression list, if it has any; the code for other policies. */
  reason?: string;
  reasonCode: string;
}

/** Addresses that a policy refuses. */
export type Refused = ReadonlyMap<string, Refusal>;

/**
 * All policies in their order: those that come first, sender policies that must be asked again, the suppression list, the host's other
 * policies, and the topic policy for emails with a topic.
 */
export class RecipientPolicies {
  private readonly withTopic: readonly RecipientPolicy[];
  private readonly others: readonly RecipientPolicy[];

  constructor(
    topicPolicy: TopicPolicy | undefined,
    others: readonly RecipientPolicy[] = [],
    private readonly senders: readonly SenderPolicy[] = [],
    private readonly first: readonly RecipientPolicy[] = [],
  ) {
    const lists = others.filter(isList);
    this.others = [...first, ...lists, ...others.filter((policy) => !isList(policy))];
    this.withTopic = [...this.others, new TopicRecipients(topicPolicy)];
  }

  of(
    email: Pick<PendingEmail, 'topicId' | 'from' | 'apiKeyId' | 'domainId' | 'acceptedFor'>,
  ): readonly RecipientPolicy[] {
    const policies = email.topicId === null ? this.others : this.withTopic;
    if (this.senders.length === 0 || email.acceptedFor <= SENDER_HOLDS) return policies;
    const senders = this.senders.map((sender) => new SenderRecipients(sender, email));
    const { first } = this;
    return first.length === 0 ? [...senders, ...policies] : [...first, ...senders, ...policies.slice(first.length)];
  }
}

export class PolicyTooSlow extends Error {
  override readonly name = 'PolicyTooSlow';
}

/**
 * Asks each policy about the recipients that the policies before it allow. Skips the rest when none is left. The first
 * refusal counts.
 *
 * @param isWanted whether the caller still waits for the answer
 * @throws PolicyTooSlow when the caller no longer waits
 * @throws InvalidPolicyAnswer when an answer is not one decision per address: the address that a decision means is not
 * guessed
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
    // Frozen: the answers of a policy that sorts the addresses would be about other recipients.
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

/** Returns the recorded refusal; undefined when the address is allowed. */
function refusalOf(decision: RecipientDecision | null | undefined, byList: boolean): Refusal | undefined {
  if (decision?.allowed === true) return undefined;
  if (decision?.allowed !== false) throw new InvalidPolicyAnswer();
  const { code, reason = code, suppressed } = decision;
  if (typeof code !== 'string' || !REASON_CODE.test(code) || typeof reason !== 'string')
    throw new InvalidPolicyAnswer();
  if (!byList) return { type: 'failed', reason: code, reasonCode: code };
  if (suppressed === undefined)
    return { type: 'suppressed', reason: storableText(reason, MAX_REASON), reasonCode: code };
  return { type: 'suppressed', ...suppressionOf(suppressed, decision.reason) };
}

/** @param words of the list; default: the first reply that put the recipient on it */
function suppressionOf(entry: RefusedBySuppression, words?: string): Pick<Refusal, 'reason' | 'reasonCode'> {
  const { reason, diagnosticCode } = entry ?? {};
  if (!SUPPRESSION_REASONS.includes(reason) || !Array.isArray(diagnosticCode)) throw new InvalidPolicyAnswer();
  const [reply = words] = diagnosticCode;
  if (reply !== undefined && typeof reply !== 'string') throw new InvalidPolicyAnswer();
  return {
    ...(reply !== undefined && { reason: storableText(reply.replace(/^smtp; /, ''), MAX_REASON) }),
    reasonCode: reason,
  };
}

function isList({ isSuppressionList }: RecipientPolicy): boolean {
  return isSuppressionList === true;
}
