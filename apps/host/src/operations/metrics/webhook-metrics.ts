import type { ObservedWebhookAttempt, ObservedWebhookEnd, WebhooksObserver } from 'nestjs-emails/webhooks';
import { Counter, Histogram, type Registry } from 'prom-client';

const OUTCOMES = ['success', 'failure'] as const;
const REASONS = ['gone', 'failing'] as const;
/** In seconds: a request takes 15 at most. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** What this process has sent to webhooks since its start. */
export class WebhookMetrics implements WebhooksObserver {
  private readonly attempts: Counter;
  private readonly ends: Counter;
  private readonly times: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Requests to webhooks, by what came of them.',
      labelNames: ['outcome'],
      registers,
    });
    this.ends = new Counter({
      name: 'webhooks_disabled_total',
      help: 'Webhooks that were disabled, because they are gone or did nothing but fail.',
      labelNames: ['reason'],
      registers,
    });
    this.times = new Histogram({
      name: 'webhook_attempt_seconds',
      help: 'What one request to a webhook took.',
      buckets: REQUEST_BUCKETS,
      registers,
    });
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
    for (const reason of REASONS) this.ends.inc({ reason }, 0);
  }

  attempted({ outcome, duration }: ObservedWebhookAttempt): void {
    this.attempts.inc({ outcome });
    this.times.observe(duration / 1_000);
  }

  disabled({ reason }: ObservedWebhookEnd): void {
    this.ends.inc({ reason });
  }
}
