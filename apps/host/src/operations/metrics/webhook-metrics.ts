import type { ObservedWebhookAttempt, ObservedWebhookEnd, WebhooksObserver } from 'nestjs-emails/webhooks';
import type { Counter, Histogram, Registry } from 'prom-client';
import { counter, histogram } from './series.js';

/** Requests of this process to webhooks since its start. */
export class WebhookMetrics implements WebhooksObserver {
  private readonly attempts: Counter;
  private readonly ends: Counter;
  private readonly times: Histogram;

  constructor(registry: Registry) {
    this.attempts = counter(registry, 'webhook_attempts_total');
    this.ends = counter(registry, 'webhooks_disabled_total');
    this.times = histogram(registry, 'webhook_attempt_seconds');
  }

  attempted({ outcome, duration }: ObservedWebhookAttempt): void {
    this.attempts.inc({ outcome });
    this.times.observe(duration / 1_000);
  }

  disabled({ reason }: ObservedWebhookEnd): void {
    this.ends.inc({ reason });
  }
}
