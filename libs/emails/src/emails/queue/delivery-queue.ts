import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { type CarriedTrace, carriedTrace } from '../../shared/tracing/tracing.js';
import { Batcher } from '../../shared/work/batcher.js';
import { shardOf } from './shards.js';

/** What a job carries: never content. */
export interface DeliveryJob {
  emailId: string;
  /** The trace that the email was accepted in, or last tried in; absent when nothing is traced. */
  trace?: CarriedTrace;
}

/** A job for a worker: "have a look at this email in `delay` milliseconds." */
export interface WakeUp {
  emailId: string;
  /** Decides which queue gets it. */
  accountId: string;
  /**
   * Leases taken so far. For one lease of an email there is at most one wake-up for later and one for now, however often
   * they are given: what a wrong clock put off for too long does not keep the sweep from asking at once.
   */
  fence: number;
  delay: number;
}

interface TracedWakeUp extends WakeUp {
  trace: CarriedTrace | undefined;
}

/** Wake-ups beyond this number are dropped while the queue cannot take them; the sweep gives them again. */
const MAX_WAITING = 10_000;
/** A bulk of jobs costs little more than one, and nobody waits for it. */
const RUNS = { maxSize: 500, pace: 10 };

/**
 * Gives workers wake-ups for due emails. A wake-up may be lost without harm: PostgreSQL knows what is owed, and the sweep
 * finds it. So giving one never fails and never holds up its caller.
 */
@Injectable()
export class DeliveryQueue {
  private readonly logger = new Logger(DeliveryQueue.name);
  /** One per queue: one that does not answer does not hold up the others. */
  private readonly batchers: readonly Batcher<TracedWakeUp, TracedWakeUp>[];
  private failing = false;

  /** @param queues one per shard, in the order of `queueNames` */
  constructor(private readonly queues: readonly Queue<DeliveryJob>[]) {
    this.batchers = queues.map((queue) => new Batcher((wakeUps) => this.addAll(queue, wakeUps), RUNS));
    for (const queue of queues) queue.on('error', () => this.reportFailure());
  }

  wake(wakeUp: WakeUp): void {
    const batcher = this.batchers[shardOf(wakeUp.accountId, this.batchers.length)];
    if (!batcher || batcher.size >= MAX_WAITING) return;
    batcher.add({ ...wakeUp, trace: carriedTrace() }).then(
      () => this.reportSuccess(),
      () => this.reportFailure(),
    );
  }

  /** Jobs by state, of all queues. */
  async count(): Promise<Record<string, number>> {
    const counts = await Promise.all(this.queues.map((queue) => queue.getJobCounts('waiting', 'delayed', 'active')));
    const total: Record<string, number> = {};
    for (const [state, count] of counts.flatMap(Object.entries<number>)) total[state] = (total[state] ?? 0) + count;
    return total;
  }

  private async addAll(queue: Queue<DeliveryJob>, wakeUps: TracedWakeUp[]): Promise<TracedWakeUp[]> {
    await queue.addBulk(
      wakeUps.map(({ emailId, fence, delay, trace }) => ({
        name: 'deliver',
        data: { emailId, ...(trace && { trace }) },
        opts: {
          jobId: `${emailId}-${fence}-${delay > 0 ? 'later' : 'now'}`,
          delay: Math.ceil(delay),
          removeOnComplete: true,
          removeOnFail: true,
        },
      })),
    );
    return wakeUps;
  }

  private reportFailure(): void {
    if (this.failing) return;
    this.failing = true;
    this.logger.warn('The queue cannot be reached. Emails are accepted and will be delivered when it is back.');
  }

  private reportSuccess(): void {
    if (!this.failing) return;
    this.failing = false;
    this.logger.log('The queue is back.');
  }
}
