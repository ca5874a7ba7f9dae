import { Injectable } from '@nestjs/common';
import { DeliveryQueue } from '../queue/delivery-queue.js';
import { DeliveryRepository, type DueEmails } from '../storage/deliver/delivery.repository.js';

export type { DueEmails };

/**
 * The size of the backlog, for metrics and alarms. Every process returns the same.
 *
 * @example
 * ```ts
 * const { count, oldestAge } = await app.get(EmailsBacklog).due();
 * if (oldestAge > 300_000) console.warn(`${count} emails wait, the oldest for ${oldestAge / 1_000} s.`);
 * ```
 */
@Injectable()
export class EmailsBacklog {
  /** @internal Made by `EmailsModule`. */
  constructor(
    private readonly repository: DeliveryRepository,
    private readonly queue: DeliveryQueue,
  ) {}

  /** From PostgreSQL, which knows all pending emails. */
  due(): Promise<DueEmails> {
    return this.repository.due(100_000);
  }

  /** Wake-ups in the queue by state, such as `waiting`, `delayed` and `active`. Rejects while the queue is away. */
  jobs(): Promise<Record<string, number>> {
    return this.queue.count();
  }
}
