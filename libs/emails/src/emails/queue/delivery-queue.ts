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

/** A wake-up for later that nobody needs any more. */
export type NeedlessWakeUp = Pick<WakeUp, 'emailId' | 'accountId' | 'fence'>;

type Order = (WakeUp & { trace: CarriedTrace | undefined }) | (NeedlessWakeUp & { delay: 'never' });

/** Orders beyond this number are dropped while the queue cannot take them; the sweep gives them again. */
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
  private readonly batchers: readonly Batcher<Order, Order>[];
  private failing = false;

  /** @param queues one per shard, in the order of `queueNames` */
  constructor(private readonly queues: readonly Queue<DeliveryJob>[]) {
    this.batchers = queues.map((queue) => new Batcher((orders) => this.give(queue, orders), RUNS));
    for (const queue of queues) queue.on('error', () => this.reportFailure());
  }

  wake(wakeUp: WakeUp): void {
    this.order({ ...wakeUp, trace: carriedTrace() });
  }

  /**
   * Takes the wake-up for later back that was given for a lease, if it is there: what was rescheduled or canceled a
   * thousand times would fill the queue until its times have come. One that stays does no harm.
   */
  forget({ emailId, accountId, fence }: NeedlessWakeUp): void {
    this.order({ emailId, accountId, fence, delay: 'never' });
  }

  private order(order: Order): void {
    const batcher = this.batchers[shardOf(order.accountId, this.batchers.length)];
    if (!batcher || batcher.size >= MAX_WAITING) return;
    batcher.add(order).then(
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

  /** What is given is there before anything is taken back. */
  private async give(queue: Queue<DeliveryJob>, orders: Order[]): Promise<Order[]> {
    const given = orders.flatMap((order) => (order.delay === 'never' ? [] : [jobOf(order)]));
    if (given.length > 0) await queue.addBulk(given);
    await Promise.all(orders.flatMap((order) => (order.delay === 'never' ? [queue.remove(idOf(order, 'later'))] : [])));
    return orders;
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

function idOf({ emailId, fence }: NeedlessWakeUp, time: 'later' | 'now'): string {
  return `${emailId}-${fence}-${time}`;
}

function jobOf(order: Exclude<Order, { delay: 'never' }>) {
  const { emailId, delay, trace } = order;
  return {
    name: 'deliver',
    data: { emailId, ...(trace && { trace }) },
    opts: {
      jobId: idOf(order, delay > 0 ? 'later' : 'now'),
      delay: Math.ceil(delay),
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}
