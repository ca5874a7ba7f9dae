import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { DelayedError, type Job } from 'bullmq';
import { traced } from '../../shared/tracing/tracing.js';
import type { DeliveryJob } from '../queue/delivery-queue.js';
import { DeliveryService } from './delivery.service.js';

/**
 * What a worker does with a wake-up. A job counts for nothing: stalled or doubled ones are sorted out by the lease, so
 * BullMQ may run them as often as it likes.
 */
@Injectable()
export class DeliveryProcessor {
  constructor(private readonly delivery: DeliveryService) {}

  async process(job: Job<DeliveryJob>, token?: string): Promise<void> {
    const { emailId, trace } = job.data;
    const span = { kind: SpanKind.CONSUMER, attributes: { 'emails.email_id': emailId }, parent: trace };
    const wait = await traced('emails.deliver', span, () => this.delivery.deliver(emailId));
    if (wait === undefined) return;
    await job.moveToDelayed(Date.now() + Math.ceil(wait), token);
    throw new DelayedError();
  }
}
