import { Injectable } from '@nestjs/common';
import type { OutboxBacklog, OutboxRepository } from '../storage/outbox.repository.js';

/** Who subscribes to events, for metrics, alarms and tidying up. Every process sees the same. */
@Injectable()
export class EventSubscriptions {
  /** @internal Made by `EmailsModule`. */
  constructor(private readonly outbox: Pick<OutboxRepository, 'backlog' | 'forget'>) {}

  /** What each subscriber is still to be told. */
  backlog(): Promise<OutboxBacklog[]> {
    return this.outbox.backlog();
  }

  /** Ends the subscriptions of a subscriber that the host has no more, and deletes what waits for it. */
  async remove(name: string): Promise<void> {
    await this.outbox.forget(name);
  }
}
