import { inTime } from '../../shared/work/in-time.js';
import { hiddenAddresses } from '../message/hidden-addresses.js';
import type { MessageBuilder } from '../message/message-builder.js';
import type { BuiltMessage } from '../ports/email-transport.js';
import { isOwed } from '../states/recipient-state.js';
import type { OwedEmail } from '../storage/delivery.repository.js';
import { askInOrder, PolicyTooSlow, type RecipientPolicies, type Refused } from './recipient-policies.js';

/** For how long the answer of the policies holds, in milliseconds from when the first was asked. */
const ANSWER_HOLDS = 1_000;
/** How long the policies together may take to answer, in milliseconds: a place on a connection waits for them. */
const PATIENCE = 3_000;
/** After so many rounds of questions whose answers came too late to hold, the email is put off. */
const MAX_LATE = 3;

/** An email as the message for whoever may get it at this moment. */
export class AddressedMessage {
  /** Addresses that the policies keep back, as last answered. */
  refused: Refused = new Map();
  /** Recipients who were not sent to yet. */
  readonly owed: readonly string[];
  /** As last made; undefined when nobody may get it. */
  message: BuiltMessage | undefined;
  /** What is being done to make it, or was when that failed. */
  step: 'policy' | 'message' = 'policy';
  private readonly policies: ReturnType<RecipientPolicies['of']>;
  private askedAt = Number.NEGATIVE_INFINITY;
  private late = 0;

  constructor(
    private readonly email: OwedEmail,
    private readonly builder: MessageBuilder,
    policies: RecipientPolicies,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.owed = email.recipients.filter(isOwed).map(({ address }) => address);
    this.policies = policies.of(email);
  }

  /** Whether what the policies said still holds. Where there are none, nobody needs to be asked. */
  get holds(): boolean {
    return this.policies.length === 0 || this.now() - this.askedAt <= ANSWER_HOLDS;
  }

  /**
   * Asks the policies, unless their last answer holds, and builds the message, unless it is the same as last time.
   * Undefined when nobody may get it. Building may take longer than the answer holds.
   */
  async make(): Promise<BuiltMessage | undefined> {
    this.step = 'policy';
    if (!this.holds) await this.ask();
    this.step = 'message';
    const recipients = this.owed.filter((address) => !this.refused.has(address));
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
    const question = { accountId, emailId, topicId, addresses: this.owed };
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
