import { hiddenAddresses } from '../message/hidden-addresses.js';
import type { MessageBuilder } from '../message/message-builder.js';
import type { BuiltMessage } from '../ports/email-transport.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import type { PolicyAnswers } from './policy-answers.js';
import { PolicyTooSlow, type Refused } from './recipient-policies.js';

/** Rounds of questions whose answers came too late, before the email is put off. */
const MAX_LATE = 3;

/** A message of an email, addressed to those of its recipients that may get it at this moment. */
export class AddressedMessage {
  /** The last message built; undefined when no recipient is allowed. */
  message: BuiltMessage | undefined;
  /** The step that runs, or that failed. */
  step: 'policy' | 'message' = 'policy';
  /** The refusals for which it was built. */
  private builtFor: Refused | undefined;
  private late = 0;

  /** @param pending its recipients. Default: all pending recipients of the email */
  constructor(
    private readonly email: PendingEmail,
    private readonly builder: Pick<MessageBuilder, 'build'>,
    private readonly answers: PolicyAnswers,
    readonly pending: readonly string[] = answers.pending,
  ) {}

  /** Addresses of the email that the policies refused in their last answer. */
  get refused(): Refused {
    return this.answers.refused;
  }

  /** True if the policies' answers still hold. Always true without policies. */
  get holds(): boolean {
    return this.answers.holds;
  }

  /**
   * Asks the policies, unless their last answer holds, and builds the message, unless its recipients are unchanged.
   * Resolves with undefined when no recipient is allowed. Building may take longer than the answer holds.
   */
  async make(): Promise<BuiltMessage | undefined> {
    this.step = 'policy';
    if (!this.holds) await this.ask();
    this.step = 'message';
    const { refused } = this;
    if (this.builtFor && !sameAddresses(this.builtFor, refused)) this.message = undefined;
    const recipients = this.pending.filter((address) => !refused.has(address));
    if (recipients.length === 0) return undefined;
    this.builtFor = refused;
    this.message ??= await this.builder.build(
      this.email,
      recipients,
      hiddenAddresses(this.email.recipients, refused.keys()),
    );
    return this.message;
  }

  private async ask(): Promise<void> {
    if (this.late >= MAX_LATE) throw new PolicyTooSlow();
    await this.answers.ask();
    if (!this.holds) this.late++;
  }
}

function sameAddresses(some: Refused, others: Refused): boolean {
  return some.size === others.size && [...some.keys()].every((address) => others.has(address));
}
