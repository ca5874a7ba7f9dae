import { Logger } from '@nestjs/common';
import type { DeliveryRepository, HeldLease } from '../storage/delivery.repository.js';

/** Renews the leases of the emails this process is working on, all of them in one statement. */
export class LeaseKeeper {
  private readonly logger = new Logger(LeaseKeeper.name);
  private readonly held = new Set<HeldLease>();
  private timer: NodeJS.Timeout | undefined;

  /** @param duration of a lease, in milliseconds; renewed three times in that time */
  constructor(
    private readonly repository: DeliveryRepository,
    private readonly duration: number,
  ) {}

  /** Renews `lease` until the returned function is called. */
  hold(lease: HeldLease): () => void {
    this.held.add(lease);
    this.timer ??= setInterval(() => void this.renew(), this.duration / 3);
    return () => {
      this.held.delete(lease);
      if (this.held.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  private async renew(): Promise<void> {
    try {
      await this.repository.extend([...this.held], this.duration);
    } catch {
      this.logger.warn('Leases could not be renewed. Other workers may take these emails over.');
    }
  }
}
