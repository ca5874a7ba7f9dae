import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventSubscription, HandedEvent, SubscribedEvent } from '../../index.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import type { NewWebhookEvent, WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import { SUBSCRIBER } from '../storage/webhook-status.js';
import { messageOf } from './payload.js';

/** Bytes of payloads that are recorded by one statement, at most. */
const MOST_BYTES = 1_000_000;

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
    for (const group of groupsOf(events)) await this.repository.record(manager, group);
  }

  committed(): void {
    this.wake();
  }
}

type NewEvent = NewWebhookEvent & { webhookIds: string[] };

/** The messages of events in their order, each once for all its webhooks. */
function* groupsOf(events: readonly HandedEvent[]): Generator<NewEvent[]> {
  let group = new Map<string, NewEvent>();
  let bytes = 0;
  for (const { key, event } of events) {
    const made = group.get(event.id);
    if (made) {
      made.webhookIds.push(key);
      continue;
    }
    const message = newEvent(event, key);
    const size = Buffer.byteLength(message.body);
    if (bytes + size > MOST_BYTES && group.size > 0) {
      yield [...group.values()];
      group = new Map();
      bytes = 0;
    }
    group.set(event.id, message);
    bytes += size;
  }
  if (group.size > 0) yield [...group.values()];
}

function newEvent(event: SubscribedEvent, webhookId: string): NewEvent {
  const { people, ...message } = messageOf(event);
  const addresses = people.flatMap((mailbox) => mailboxKey(mailbox) ?? []);
  const email = 'email' in event ? [emailKey(event.emailId)] : [];
  return { ...message, webhookIds: [webhookId], people: [...addresses, ...email] };
}
