import { Injectable } from '@nestjs/common';
import { EmailsBacklog, EventSubscriptions } from 'nestjs-emails';
import { WebhooksBacklog } from 'nestjs-emails/webhooks';
import { Gauge } from 'prom-client';
import { Metrics } from './metrics.js';

/** What is still to be done, asked when Prometheus asks. Every process tells the same: take the maximum, not the sum. */
@Injectable()
export class BacklogMetrics {
  private readonly due: Gauge;
  private readonly oldestDue: Gauge;
  private readonly jobs: Gauge;
  private readonly untold: Gauge;
  private readonly oldestUntold: Gauge;
  private readonly unsent: Gauge;
  private readonly oldestUnsent: Gauge;

  constructor(
    { registry }: Metrics,
    private readonly backlog: EmailsBacklog,
    private readonly subscriptions: EventSubscriptions,
    private readonly webhooks: WebhooksBacklog,
  ) {
    const registers = [registry];
    this.due = new Gauge({
      name: 'emails_due',
      help: 'Emails that are due and that no worker has, those that wait for a next hop included.',
      registers,
    });
    this.oldestDue = new Gauge({
      name: 'emails_oldest_due_age_seconds',
      help: 'How long the oldest of them has been due; 0 when there is none.',
      registers,
    });
    this.jobs = new Gauge({
      name: 'emails_queue_jobs',
      help: 'Jobs in the queue by state.',
      labelNames: ['state'],
      registers,
    });
    this.untold = new Gauge({
      name: 'emails_outbox_events',
      help: 'Events that a subscriber is still to be told.',
      labelNames: ['subscriber'],
      registers,
    });
    this.oldestUntold = new Gauge({
      name: 'emails_outbox_oldest_age_seconds',
      help: 'How long ago the oldest of them happened; 0 when there is none.',
      labelNames: ['subscriber'],
      registers,
    });
    this.unsent = new Gauge({
      name: 'webhook_events_waiting',
      help: 'Events that are to be sent to webhooks, for the first time or again.',
      registers,
    });
    this.oldestUnsent = new Gauge({
      name: 'webhook_events_oldest_age_seconds',
      help: 'How long the oldest of them has waited; 0 when there is none.',
      registers,
    });
  }

  /** What cannot be asked is left out: no number is better than an old one. */
  async refresh(): Promise<void> {
    await Promise.all([this.refreshDue(), this.refreshJobs(), this.refreshUntold(), this.refreshUnsent()]);
  }

  private async refreshDue(): Promise<void> {
    try {
      const { count, oldestAge } = await this.backlog.due();
      this.due.set(count);
      this.oldestDue.set(oldestAge / 1_000);
    } catch {
      this.due.remove();
      this.oldestDue.remove();
    }
  }

  private async refreshJobs(): Promise<void> {
    this.jobs.reset();
    try {
      for (const [state, count] of Object.entries(await this.backlog.jobs())) this.jobs.set({ state }, count);
    } catch {
      this.jobs.reset();
    }
  }

  private async refreshUntold(): Promise<void> {
    this.untold.reset();
    this.oldestUntold.reset();
    try {
      for (const { subscriber, count, oldestAge } of await this.subscriptions.backlog()) {
        this.untold.set({ subscriber }, count);
        this.oldestUntold.set({ subscriber }, oldestAge / 1_000);
      }
    } catch {
      this.untold.reset();
      this.oldestUntold.reset();
    }
  }

  private async refreshUnsent(): Promise<void> {
    try {
      const { count, oldestAge } = await this.webhooks.waiting();
      this.unsent.set(count);
      this.oldestUnsent.set(oldestAge / 1_000);
    } catch {
      this.unsent.remove();
      this.oldestUnsent.remove();
    }
  }
}
