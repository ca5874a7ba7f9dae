import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventSubscription, HandedEvent } from '../../index.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import type { WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import { SUBSCRIBER } from '../storage/webhook-status.js';
import { messageOf, type WebhookMessage } from './payload.js';

/** By which payloads about an email are found next to those with an address: no address is without `@`. */
export function emailKey(emailId: string): string {
  return `email:${emailId}`;
}

/** Puts events into the logs of webhooks, from which they are sent. For `eventSubscriptions` of `EmailsModule`. */
@Injectable()
export class WebhookSubscription implements EventSubscription {
  readonly name = SUBSCRIBER;
  readonly accounts = 'chosen';

  /**
   * @internal Made by `WebhooksModule`.
   * @param wake whoever sends in this process
   */
  constructor(
    private readonly repository: Pick<WebhookDeliveryRepository, 'record'>,
    private readonly wake: () => void,
  ) {}

  async handle(events: readonly HandedEvent[], manager: EntityManager): Promise<void> {
    const made = new Map<string, WebhookMessage>();
    const messageFor = ({ event }: HandedEvent): WebhookMessage => {
      const message = made.get(event.id) ?? messageOf(event);
      made.set(event.id, message);
      return message;
    };
    await this.repository.record(
      manager,
      events.map((handed) => {
        const { people, ...message } = messageFor(handed);
        const addresses = people.flatMap((mailbox) => mailboxKey(mailbox) ?? []);
        const email = 'email' in handed.event ? [emailKey(handed.event.emailId)] : [];
        return { webhookId: handed.key, ...message, people: [...addresses, ...email] };
      }),
    );
  }

  committed(): void {
    this.wake();
  }
}
