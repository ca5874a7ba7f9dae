import { Injectable } from '@nestjs/common';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import type { DeliveryRepository, DueEmails } from '../storage/delivery.repository.js';

export type { DueEmails };

/** How much is to be done, for metrics and alarms. Every process sees the same. */
@Injectable()
export class EmailsBacklog {
  /** @internal Made by `EmailsModule`. */
  constructor(
    private readonly repository: DeliveryRepository,
    private readonly queue: DeliveryQueue,
  ) {}

  /** From PostgreSQL, which knows what is owed. */
  due(): Promise<DueEmails> {
    return this.repository.due(100_000);
  }

  /** Wake-ups in the queue by state, such as `waiting`, `delayed` and `active`. Rejects while the queue is away. */
  jobs(): Promise<Record<string, number>> {
    return this.queue.count();
  }
}
