import { Injectable } from '@nestjs/common';
import type { WaitingWebhookEvents, WebhookDeliveryRepository } from './storage/delivery.repository.js';

export type { WaitingWebhookEvents };

/** How much is still to be sent to webhooks, for metrics and alarms. Every process sees the same. */
@Injectable()
export class WebhooksBacklog {
  /** @internal Made by `WebhooksModule`. */
  constructor(private readonly repository: Pick<WebhookDeliveryRepository, 'waiting'>) {}

  /** What is to be sent now, or again later. */
  waiting(): Promise<WaitingWebhookEvents> {
    return this.repository.waiting();
  }
}
