import { Injectable } from '@nestjs/common';
import { EmailsBacklog } from 'nestjs-emails';
import { Gauge } from 'prom-client';
import { Metrics } from './metrics.js';

/** What is still to be done, asked when Prometheus asks. Every process tells the same: take the maximum, not the sum. */
@Injectable()
export class BacklogMetrics {
  private readonly due: Gauge;
  private readonly oldestDue: Gauge;
  private readonly jobs: Gauge;

  constructor(
    { registry }: Metrics,
    private readonly backlog: EmailsBacklog,
  ) {
    const registers = [registry];
    this.due = new Gauge({ name: 'emails_due', help: 'Emails that are due and that no worker has.', registers });
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
  }

  /** What cannot be asked is left out: no number is better than an old one. */
  async refresh(): Promise<void> {
    await Promise.all([this.refreshDue(), this.refreshJobs()]);
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
}
