import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Batcher } from '../batching/batcher.js';

export const EMAILS_QUEUE = 'emails';

/** What a job carries: never content. */
export interface DeliveryJob {
  emailId: string;
}

/** "Have a look at this email in `delay` milliseconds." */
export interface DeliveryHint {
  emailId: string;
  /**
   * Leases taken so far. For one turn of an email there is at most one hint for later and one for now, however often
   * they are given: what a wrong clock put off for too long does not keep the sweep from asking at once.
   */
  fence: number;
  delay: number;
}

/** Hints beyond this number are dropped while the queue cannot take them; the sweep gives them again. */
const MAX_WAITING = 10_000;

/**
 * Gives workers hints about due emails. A hint may be lost without harm: PostgreSQL knows what is owed, and the sweep
 * finds it. So giving one never fails and never holds up its caller.
 */
@Injectable()
export class DeliveryQueue {
  private readonly logger = new Logger(DeliveryQueue.name);
  private readonly batcher: Batcher<DeliveryHint, DeliveryHint>;
  private failing = false;

  constructor(@InjectQueue(EMAILS_QUEUE) private readonly queue: Queue<DeliveryJob>) {
    this.batcher = new Batcher((hints) => this.addAll(hints), 500);
    queue.on('error', () => this.reportFailure());
  }

  hint(hint: DeliveryHint): void {
    if (this.batcher.size >= MAX_WAITING) return;
    this.batcher.add(hint).then(
      () => this.reportSuccess(),
      () => this.reportFailure(),
    );
  }

  private async addAll(hints: DeliveryHint[]): Promise<DeliveryHint[]> {
    await this.queue.addBulk(
      hints.map(({ emailId, fence, delay }) => ({
        name: 'deliver',
        data: { emailId },
        opts: {
          jobId: `${emailId}-${fence}-${delay > 0 ? 'later' : 'now'}`,
          delay: Math.ceil(delay),
          removeOnComplete: true,
          removeOnFail: true,
        },
      })),
    );
    return hints;
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
