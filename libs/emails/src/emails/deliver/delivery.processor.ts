import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { DelayedError, type Job } from 'bullmq';
import { traced } from '../../shared/tracing/tracing.js';
import type { Semaphore } from '../../shared/work/semaphore.js';
import { type DeliveryJob, DeliveryQueue, dataOf, emailsOf, type Woken } from '../queue/delivery-queue.js';
import { DeliveryService } from './delivery.service.js';

/**
 * What a worker does with wake-ups. A job counts for nothing: stalled or doubled ones are sorted out by the lease, so
 * BullMQ may run them as often as it likes.
 *
 * It ends as soon as all of its emails have begun, so that a slow one keeps no job, and with it none of the other emails,
 * from coming. From there the lease answers for them: of a worker that dies, the sweep finds them when it has run out.
 */
@Injectable()
export class DeliveryProcessor {
  private readonly underway = new Set<Promise<void>>();

  constructor(
    private readonly delivery: DeliveryService,
    private readonly queue: DeliveryQueue,
  ) {}

  /** @param room of which each email takes a permit; when it is closed, what has not begun goes back to the queue */
  async process(job: Job<DeliveryJob>, room: Semaphore, token?: string): Promise<void> {
    const emails = emailsOf(job.data);
    for (const [at, email] of emails.entries()) {
      if (!(await room.acquire())) return giveBack(job, emails.slice(at), token);
      this.begin(email, room);
    }
  }

  /** Resolves when no email is under way any more. */
  async finished(): Promise<void> {
    await Promise.all(this.underway);
  }

  private begin(email: Woken, room: Semaphore): void {
    const delivered = this.deliver(email).finally(() => {
      room.release();
      this.underway.delete(delivered);
    });
    this.underway.add(delivered);
  }

  private async deliver({ emailId, trace }: Woken): Promise<void> {
    const span = { kind: SpanKind.CONSUMER, attributes: { 'emails.email_id': emailId }, parent: trace };
    try {
      await traced('emails.deliver', span, async () => {
        const wait = await this.delivery.deliver(emailId);
        if (wait !== undefined) this.queue.wakeAgain(emailId, wait);
      });
    } catch {
      // That is told already. The sweep finds the email, and the others of its job go on.
    }
  }
}

/** To whichever worker takes it next. */
async function giveBack(job: Job<DeliveryJob>, [first, ...more]: readonly Woken[], token?: string): Promise<never> {
  if (first) await job.updateData(dataOf([first, ...more]));
  await job.moveToDelayed(Date.now(), token);
  throw new DelayedError();
}
