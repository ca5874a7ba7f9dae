import { Inject, Injectable } from '@nestjs/common';
import type { MetricsGauge, MetricsSource } from '../index.js';
import { type WaitingWebhookEvents, WebhookDeliveryRepository } from './storage/delivery.repository.js';

export type { WaitingWebhookEvents };

/**
 * The webhooks' backlog, for metrics and alarms. Every process returns the same.
 *
 * @example
 * ```ts
 * const { count, oldestAge } = await app.get(WebhooksBacklog).waiting();
 * ```
 */
@Injectable()
export class WebhooksBacklog implements MetricsSource {
  /** @internal Made by `webhooks()`. */
  constructor(
    @Inject(WebhookDeliveryRepository) private readonly repository: Pick<WebhookDeliveryRepository, 'waiting'>,
  ) {}

  /** Pending payloads, due now or later. */
  waiting(): Promise<WaitingWebhookEvents> {
    return this.repository.waiting();
  }

  async gauges(): Promise<MetricsGauge[]> {
    const { count, oldestAge } = await this.waiting();
    return [
      {
        name: 'webhook_events_waiting',
        help: 'Pending webhook events, for the first attempt or another one.',
        value: count,
      },
      {
        name: 'webhook_events_oldest_age_seconds',
        help: 'Wait of the oldest of them; 0 without any.',
        value: oldestAge / 1_000,
      },
    ];
  }
}
