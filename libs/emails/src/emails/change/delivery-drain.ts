import { Injectable } from '@nestjs/common';
import type { Drained } from '../ports/drained.js';
import { DeliveryRepository } from '../storage/deliver/delivery.repository.js';

/** Ends the deliveries of a process. Resolves with the number of emails in progress, at `until` at the latest. */
type EndDeliveries = (until: Date) => Promise<number>;

/** Limit of the count of due emails. */
const MOST = 100_000;

/** The end of the deliveries of this process, while it goes on with everything else. */
@Injectable()
export class DeliveryDrain {
  private end: EndDeliveries | undefined;
  private wasCalled = false;

  constructor(private readonly repository: DeliveryRepository) {}

  /** True once the process is to deliver nothing more: workers that have not started do not start. */
  get isRequested(): boolean {
    return this.wasCalled;
  }

  /** Called before workers start. A process without workers has nothing to end. */
  use(end: EndDeliveries): void {
    this.end = end;
  }

  async drain(until: Date): Promise<Drained> {
    this.wasCalled = true;
    const inProgress = (await this.end?.(until)) ?? 0;
    return { inProgress, due: (await this.repository.due(MOST)).count };
  }
}
