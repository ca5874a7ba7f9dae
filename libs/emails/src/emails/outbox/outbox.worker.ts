import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Background } from '../../shared/work/background.js';
import type { EmailEvent, EmailEventListener } from '../ports/event-listener.js';
import type { EventSubscription } from '../ports/event-subscription.js';
import type { OutboxRepository } from '../storage/outbox/outbox.repository.js';
import { Handover, type HandoverStore } from './handover.js';

type Outbox = HandoverStore & Pick<OutboxRepository, 'subscribeAll' | 'subscribers'>;

/**
 * Hands events over to subscribers. One process at a time serves a subscriber, and the subscribers of one process do
 * not wait for each other.
 */
@Injectable()
export class OutboxWorker implements EmailEventListener, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxWorker.name);
  private readonly handovers: readonly Handover[];

  constructor(
    private readonly outbox: Outbox,
    private readonly subscriptions: readonly EventSubscription[],
  ) {
    const background = new Background();
    this.handovers = subscriptions.map((subscription) => new Handover(outbox, subscription, background));
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.subscriptions.length === 0) return;
    for (const { name, types, accounts } of this.subscriptions) {
      if (accounts !== 'chosen') await this.outbox.subscribeAll(name, types);
    }
    const names = this.subscriptions.map(({ name }) => name);
    for (const name of (await this.outbox.subscribers()).filter((known) => !names.includes(known))) {
      this.logger.warn(
        `No subscription of this application handles the events that wait for \`${name}\`. EventSubscriptions.remove ends that.`,
      );
    }
    for (const handover of this.handovers) handover.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.handovers.map((handover) => handover.stop()));
  }

  onEvents(events: readonly EmailEvent[]): void {
    for (const handover of this.handovers) handover.wake(events);
  }
}
