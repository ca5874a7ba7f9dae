import { storableText } from '../../shared/text/storable-text.js';
import { inTime } from '../../shared/work/in-time.js';
import type { MessageBuilder } from '../message/message-builder.js';
import type { BuiltMessage } from '../ports/email-transport.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import { isOwed } from '../states/recipient-state.js';
import type { OwedEmail } from '../storage/delivery.repository.js';

/** For how long the answer of a policy holds, in milliseconds from when it was asked. */
const ANSWER_HOLDS = 1_000;
/** How long a policy may take to answer, in milliseconds: a place on a connection waits for it. */
const PATIENCE = 3_000;
/** After so many questions whose answers came to nothing in time, the email is put off. */
const MAX_QUESTIONS = 3;
/** Characters of a reason that are kept. */
const MAX_REASON = 500;

type Refused = ReadonlyMap<string, string>;

/** An email as the message for whoever may get it at this moment. */
export class AddressedMessage {
  /** Addresses that the policy keeps back, with the reason, as last answered. */
  refused: Refused = new Map();
  /** Recipients who were not sent to yet. */
  readonly owed: readonly string[];
  private message: BuiltMessage | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;
  private questions = 0;

  constructor(
    private readonly email: OwedEmail,
    private readonly builder: MessageBuilder,
    private readonly topicPolicy: TopicPolicy | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.owed = email.recipients.filter(isOwed).map(({ address }) => address);
  }

  /** Whether what the policy said still holds. */
  get holds(): boolean {
    return this.email.topicId === null || this.now() - this.askedAt <= ANSWER_HOLDS;
  }

  /**
   * Asks the policy, unless its last answer holds, and builds the message, unless it is the same as last time. Undefined
   * when nobody may get it. Building may take longer than the answer holds.
   */
  async make(): Promise<BuiltMessage | undefined> {
    if (!this.holds) await this.ask();
    const recipients = this.owed.filter((address) => !this.refused.has(address));
    if (recipients.length === 0) return undefined;
    this.message ??= await this.builder.build(this.email, recipients, hiddenAddresses(this.email, this.refused));
    return this.message;
  }

  private async ask(): Promise<void> {
    if (++this.questions > MAX_QUESTIONS) throw new PolicyTooSlow();
    const askedAt = this.now();
    const refused = await inTime(this.refusals(), PATIENCE, tooSlow);
    if (!sameAddresses(refused, this.refused)) this.message = undefined;
    this.refused = refused;
    this.askedAt = askedAt;
  }

  private async refusals(): Promise<Refused> {
    const { accountId, topicId } = this.email;
    const refused = new Map<string, string>();
    if (topicId === null) return refused;
    const decisions = await this.topicPolicy?.decide(accountId, topicId, this.owed);
    for (const [index, address] of this.owed.entries()) {
      const decision = decisions?.[index] ?? { allowed: false as const, reason: 'Topics are not available.' };
      if (!decision.allowed) refused.set(address, storableText(decision.reason, MAX_REASON));
    }
    return refused;
  }
}

class PolicyTooSlow extends Error {
  override readonly name = 'PolicyTooSlow';
}

function tooSlow(): never {
  throw new PolicyTooSlow();
}

function sameAddresses(some: Refused, others: Refused): boolean {
  return some.size === others.size && [...some.keys()].every((address) => others.has(address));
}

/** Whoever is not sent to leaves the visible headers too (contract, section 2.3). */
function hiddenAddresses(email: OwedEmail, refused: Refused): ReadonlySet<string> {
  const earlier = email.recipients.filter(({ status }) => status === 'suppressed').map(({ address }) => address);
  return new Set([...earlier, ...refused.keys()]);
}
