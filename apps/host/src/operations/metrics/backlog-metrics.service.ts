import { Injectable } from '@nestjs/common';
import { EmailsBacklog, EventSubscriptions, FeatureMetrics } from 'nestjs-emails';
import { Gauge } from 'prom-client';
import { Metrics } from './metrics.js';
import { gauge } from './series.js';

/** Pending work, read when Prometheus asks. Every process reports the same: take the maximum, not the sum. */
@Injectable()
export class BacklogMetrics {
  private readonly due: Gauge;
  private readonly oldestDue: Gauge;
  private readonly waiting: Gauge;
  private readonly oldestWaiting: Gauge;
  private readonly jobs: Gauge;
  private readonly untold: Gauge;
  private readonly oldestUntold: Gauge;
  private readonly ofFeatures = new Map<string, Gauge>();

  constructor(
    private readonly metrics: Metrics,
    private readonly backlog: EmailsBacklog,
    private readonly subscriptions: EventSubscriptions,
    private readonly features: FeatureMetrics,
  ) {
    this.due = gauge(metrics.registry, 'emails_due');
    this.oldestDue = gauge(metrics.registry, 'emails_oldest_due_age_seconds');
    this.waiting = gauge(metrics.registry, 'emails_waiting');
    this.oldestWaiting = gauge(metrics.registry, 'emails_oldest_waiting_age_seconds');
    this.jobs = gauge(metrics.registry, 'emails_queue_jobs');
    this.untold = gauge(metrics.registry, 'emails_outbox_events');
    this.oldestUntold = gauge(metrics.registry, 'emails_outbox_oldest_age_seconds');
  }

  /** An unreadable figure is left out: a missing figure is better than an old one. */
  async refresh(): Promise<void> {
    await Promise.all([this.refreshDue(), this.refreshJobs(), this.refreshUntold(), this.refreshFeatures()]);
  }

  private async refreshDue(): Promise<void> {
    try {
      const { count, oldestAge, waiting, oldestWaiting } = await this.backlog.due();
      this.due.set(count);
      this.oldestDue.set(oldestAge / 1_000);
      this.waiting.set(waiting);
      this.oldestWaiting.set(oldestWaiting / 1_000);
    } catch {
      for (const one of [this.due, this.oldestDue, this.waiting, this.oldestWaiting]) one.remove();
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

  private async refreshFeatures(): Promise<void> {
    const gauges = await this.features.gauges();
    for (const gauge of this.ofFeatures.values()) gauge.remove();
    for (const { name, help, value } of gauges) {
      const gauge = this.ofFeatures.get(name) ?? new Gauge({ name, help, registers: [this.metrics.registry] });
      this.ofFeatures.set(name, gauge);
      gauge.set(value);
    }
  }
}
