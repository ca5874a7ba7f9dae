import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventSubscription, HandedEvent, SubscribedEmailEvent } from '../../index.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { suppresses } from '../../shared/replies/suppresses.js';
import type { FeedbackOptions } from '../feedback.options.js';
import { FEEDBACK_OPTIONS } from '../feedback.tokens.js';
import { BounceCounts } from './bounce-counts.js';
import { replyIn } from './reply-in.js';
import { SOFT_SPAN, SoftBouncesRepository } from './soft-bounces.repository.js';
import { softens } from './softens.js';
import { SuppressionIntake } from './suppression-intake.js';
import type { NewSuppression } from './suppressions.repository.js';

/** Adds what bounces and complaints say about addresses, exactly once, in the transaction that hands the events over. */
@Injectable()
export class SuppressingSubscription implements EventSubscription {
  readonly name = 'suppressions';
  readonly types = ['bounced', 'complained', 'failed'];

  /** @internal Made by `feedback()`. */
  constructor(
    @Inject(SuppressionIntake) private readonly intake: Pick<SuppressionIntake, 'put'>,
    @Inject(SoftBouncesRepository) private readonly softBounces: Pick<SoftBouncesRepository, 'record'>,
    @Inject(FEEDBACK_OPTIONS) private readonly options: Pick<FeedbackOptions, 'softBounces' | 'exemptAccounts'>,
    @Inject(BounceCounts) private readonly counts: Pick<BounceCounts, 'record' | 'committed'>,
  ) {}

  async handle(handed: readonly HandedEvent[], manager: EntityManager): Promise<void> {
    const { exemptAccounts = [] } = this.options;
    const events = handed.filter(({ event }) => !exemptAccounts.includes(event.accountId));
    const accounts = new Map<string, Map<string, NewSuppression>>();
    for (const { event } of events) {
      if (!('email' in event) || event.recipient === undefined || event.recipient === ERASED_ADDRESS) continue;
      const entry = await this.entryOf(event, event.recipient, manager);
      if (!entry) continue;
      const entries = accounts.get(event.accountId) ?? new Map<string, NewSuppression>();
      accounts.set(event.accountId, entries);
      entries.set(entry.emailKey, stronger(entries.get(entry.emailKey), entry));
    }
    const lists = new Map([...accounts].map(([accountId, entries]) => [accountId, [...entries.values()]]));
    const held = await this.intake.put(manager, lists);
    await this.counts.record(manager, events, held);
  }

  committed(): void {
    this.counts.committed();
  }

  private async entryOf(
    event: SubscribedEmailEvent,
    recipient: string,
    manager: EntityManager,
  ): Promise<NewSuppression | undefined> {
    const { accountId, emailId, createdAt, reason, bounce } = event;
    const address = { emailKey: addressKey(recipient), email: recipient.toLowerCase() };
    const cause = { sourceId: emailId, reason: replyIn(reason) ?? null, operator: bounce?.operator ?? null };
    const entry = { id: randomUUID(), ...address, ...cause };
    const origin = suppresses(event);
    if (origin) return { ...entry, origin };
    if (this.options.softBounces === false || !softens(event)) return undefined;
    const isEnough = await this.softBounces.record(manager, accountId, { ...address, emailId, givenUpAt: createdAt });
    return isEnough ? { ...entry, origin: 'bounce', lifetime: SOFT_SPAN } : undefined;
  }
}

/** One of two entries of an address: a complaint, else the permanent one, else the earlier. */
function stronger(one: NewSuppression | undefined, other: NewSuppression): NewSuppression {
  if (!one) return other;
  const rank = ({ origin, lifetime }: NewSuppression) => (origin === 'complaint' ? 2 : lifetime === undefined ? 1 : 0);
  return rank(other) > rank(one) ? other : one;
}
