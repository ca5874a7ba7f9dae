import { Processor, WorkerHost } from '@nestjs/bullmq';
import { DelayedError, type Job } from 'bullmq';
import { type DeliveryJob, EMAILS_QUEUE } from '../queue/delivery-queue.js';
import { DeliveryService } from './delivery.service.js';

/**
 * Takes hints from the queue. Started by `DeliveryRunner`, when everything it needs is up. A job counts for nothing:
 * stalled or doubled ones are sorted out by the lease, so BullMQ may run them as often as it likes.
 */
@Processor(EMAILS_QUEUE, { autorun: false, maxStalledCount: 1_000_000 })
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
