import { Inject, Injectable } from '@nestjs/common';
import { type OutboxBacklog, OutboxRepository } from '../storage/outbox/outbox.repository.js';

/**
 * Subscriptions to events, for metrics, alarms and cleaning up. Every process sees the same.
 *
 * @example
 * ```ts
 * const subscriptions = app.get(EventSubscriptions);
 * await subscriptions.backlog();
 * await subscriptions.remove('ledger'); // a subscription that this application no longer has
 * ```
 */
@Injectable()
export class EventSubscriptions {
  /** @internal Made by `EmailsModule`. */
  constructor(@Inject(OutboxRepository) private readonly outbox: Pick<OutboxRepository, 'backlog' | 'forget'>) {}

  /** Events that wait for each subscriber. */
  backlog(): Promise<OutboxBacklog[]> {
    return this.outbox.backlog();
  }

  /** Ends the subscriptions of a subscriber that the host no longer has, and deletes its waiting events. */
  async remove(name: string): Promise<void> {
    await this.outbox.forget(name);
  }
}
