import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventSubscription, HandedEvent, SubscribedEvent } from '../../index.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import { type NewWebhookEvent, WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import { SUBSCRIBER } from '../storage/webhook-status.js';
import { WAKE } from '../webhooks.tokens.js';
import { messageOf } from './payload.js';

/** Limit of payloads in one statement. Bytes. */
const MAX_BYTES = 1_000_000;

/** Key under which payloads about an email are found, next to those of addresses. An address always has an `@`. */
export function emailKey(emailId: string): string {
  return `email:${emailId}`;
}

/** Writes events into the logs of webhooks, from which they are sent. */
@Injectable()
export class WebhookSubscription implements EventSubscription {
  readonly name = SUBSCRIBER;
  readonly accounts = 'chosen';

  /**
   * @internal Made by `webhooks()`.
   * @param wake wakes the webhook workers of this process
   */
  constructor(
    @Inject(WebhookDeliveryRepository) private readonly repository: Pick<WebhookDeliveryRepository, 'record'>,
    @Inject(WAKE) private readonly wake: () => void,
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
    if (bytes + size > MAX_BYTES && group.size > 0) {
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
