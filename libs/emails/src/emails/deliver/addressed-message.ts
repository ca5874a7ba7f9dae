import { inTime } from '../../shared/work/in-time.js';
import { hiddenAddresses } from '../message/hidden-addresses.js';
import type { MessageBuilder } from '../message/message-builder.js';
import type { BuiltMessage } from '../ports/email-transport.js';
import { isPending } from '../states/recipient-state.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import { askInOrder, PolicyTooSlow, type RecipientPolicies, type Refused } from './recipient-policies.js';

/** How long the policies' answers hold, from the first question. Milliseconds. */
const ANSWER_HOLDS = 1_000;
/** Time limit for all policies together: an acquired slot waits for them. Milliseconds. */
const PATIENCE = 3_000;
/** Rounds of questions whose answers came too late, before the email is put off. */
const MAX_LATE = 3;

/** The message of an email, addressed to the recipients that may get it at this moment. */
export class AddressedMessage {
  /** Addresses that the policies refused in their last answer. */
  refused: Refused = new Map();
  /** Recipients without a final outcome. */
  readonly pending: readonly string[];
  /** The last message built; undefined when no recipient is allowed. */
  message: BuiltMessage | undefined;
  /** The step that runs, or that failed. */
  step: 'policy' | 'message' = 'policy';
  private readonly policies: ReturnType<RecipientPolicies['of']>;
  private askedAt = Number.NEGATIVE_INFINITY;
  private late = 0;

  constructor(
    private readonly email: PendingEmail,
    private readonly builder: Pick<MessageBuilder, 'build'>,
    policies: RecipientPolicies,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.pending = email.recipients.filter(isPending).map(({ address }) => address);
    this.policies = policies.of(email);
  }

  /** True if the policies' answers still hold. Always true without policies. */
  get holds(): boolean {
    return this.policies.length === 0 || this.now() - this.askedAt <= ANSWER_HOLDS;
  }

  /**
   * Asks the policies, unless their last answer holds, and builds the message, unless its recipients are unchanged.
   * Resolves with undefined when no recipient is allowed. Building may take longer than the answer holds.
   */
  async make(): Promise<BuiltMessage | undefined> {
    this.step = 'policy';
    if (!this.holds) await this.ask();
    this.step = 'message';
    const recipients = this.pending.filter((address) => !this.refused.has(address));
    if (recipients.length === 0) return undefined;
    this.message ??= await this.builder.build(
      this.email,
      recipients,
      hiddenAddresses(this.email.recipients, this.refused.keys()),
    );
    return this.message;
  }

  private async ask(): Promise<void> {
    if (this.late >= MAX_LATE) throw new PolicyTooSlow();
    const askedAt = this.now();
    const { id: emailId, accountId, topicId } = this.email;
    const question = { accountId, emailId, topicId, addresses: this.pending };
    const isWanted = () => this.now() - askedAt <= PATIENCE;
    const refused = await inTime(askInOrder(this.policies, question, isWanted), PATIENCE, tooSlow);
    if (!sameAddresses(refused, this.refused)) this.message = undefined;
    this.refused = refused;
    this.askedAt = askedAt;
    if (!this.holds) this.late++;
  }
}

function tooSlow(): never {
  throw new PolicyTooSlow();
}

function sameAddresses(some: Refused, others: Refused): boolean {
  return some.size === others.size && [...some.keys()].every((address) => others.has(address));
}
