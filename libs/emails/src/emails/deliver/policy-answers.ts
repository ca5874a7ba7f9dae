import { inTime } from '../../shared/work/in-time.js';
import type { RecipientPolicy } from '../ports/recipient-policy.js';
import { isPending } from '../states/recipient-state.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import { askInOrder, PolicyTooSlow, type RecipientPolicies, type Refused } from './recipient-policies.js';

/** How long the policies' answers hold, from the first question. Milliseconds. */
const ANSWER_HOLDS = 1_000;
/** Time limit for all policies together: an acquired slot waits for them. Milliseconds. */
const PATIENCE = 3_000;

/** The policies' answers about the pending recipients of an email. */
export class PolicyAnswers {
  /** Addresses that the policies refused in their last answer. */
  refused: Refused = new Map();
  /** Recipients without a final outcome. */
  readonly pending: readonly string[];
  private readonly policies: readonly RecipientPolicy[];
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly email: PendingEmail,
    policies: RecipientPolicies,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.pending = email.recipients.filter(isPending).map(({ address }) => address);
    this.policies = policies.of(email);
  }

  /** True if the answers still hold. Always true without policies. */
  get holds(): boolean {
    return this.policies.length === 0 || this.now() - this.askedAt <= ANSWER_HOLDS;
  }

  /** @throws PolicyTooSlow without an answer in time */
  async ask(): Promise<void> {
    const askedAt = this.now();
    const { id: emailId, accountId, topicId } = this.email;
    const question = { accountId, emailId, topicId, addresses: this.pending };
    const isWanted = () => this.now() - askedAt <= PATIENCE;
    this.refused = await inTime(askInOrder(this.policies, question, isWanted), PATIENCE, tooSlow);
    this.askedAt = askedAt;
  }
}

function tooSlow(): never {
  throw new PolicyTooSlow();
}
