import { Processor, WorkerHost } from '@nestjs/bullmq';
import { DelayedError, type Job } from 'bullmq';
import { type DeliveryJob, EMAILS_QUEUE } from '../queue/delivery-queue.js';
import { DeliveryService } from './delivery.service.js';

/**
 * Milliseconds. A job that a dead worker had taken is given to another one within about twice this time; a lease, and
 * with it the email, is free again by then. A worker that fails to reach the queue asks again after `runRetryDelay`.
 */
const WORKER = { lockDuration: 5_000, stalledInterval: 3_000, runRetryDelay: 1_000 };

/**
 * Takes hints from the queue. Started by `DeliveryRunner`, when everything it needs is up. A job counts for nothing:
 * stalled or doubled ones are sorted out by the lease, so BullMQ may run them as often as it likes.
 */
@Processor(EMAILS_QUEUE, { ...WORKER, autorun: false, maxStalledCount: 1_000_000 })
export class DeliveryProcessor extends WorkerHost {
  constructor(private readonly delivery: DeliveryService) {
    super();
  }

  async process(job: Job<DeliveryJob>, token?: string): Promise<void> {
    const wait = await this.delivery.deliver(job.data.emailId);
    if (wait === undefined) return;
    await job.moveToDelayed(Date.now() + Math.ceil(wait), token);
    throw new DelayedError();
  }
}
