import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Type } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { DelayedError, type Job } from 'bullmq';
import { traced } from '../../shared/tracing/tracing.js';
import type { DeliveryJob } from '../queue/delivery-queue.js';
import { DeliveryService } from './delivery.service.js';

/**
 * Milliseconds. A job that a dead worker had taken is given to another one within about twice this time; a lease, and
 * with it the email, is free again by then. A worker that fails to reach the queue asks again after `runRetryDelay`.
 */
const WORKER = { lockDuration: 5_000, stalledInterval: 3_000, runRetryDelay: 1_000 };

/**
 * Takes wake-ups from the queue. Started by `DeliveryRunner`, when everything it needs is up. A job counts for nothing:
 * stalled or doubled ones are sorted out by the lease, so BullMQ may run them as often as it likes.
 */
export abstract class DeliveryProcessor extends WorkerHost {
  constructor(private readonly delivery: DeliveryService) {
    super();
  }

  async process(job: Job<DeliveryJob>, token?: string): Promise<void> {
    const { emailId, trace } = job.data;
    const span = { kind: SpanKind.CONSUMER, attributes: { 'emails.email_id': emailId }, parent: trace };
    const wait = await traced('emails.deliver', span, () => this.delivery.deliver(emailId));
    if (wait === undefined) return;
    await job.moveToDelayed(Date.now() + Math.ceil(wait), token);
    throw new DelayedError();
  }
}

/** The processor of one queue. */
export function processorOf(queueName: string): Type<DeliveryProcessor> {
  @Processor(queueName, { ...WORKER, autorun: false, maxStalledCount: 1_000_000 })
  class QueueProcessor extends DeliveryProcessor {
    constructor(delivery: DeliveryService) {
      super(delivery);
    }
  }
  return QueueProcessor;
}
