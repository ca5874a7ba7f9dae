import type { DeliveryQueue } from '../../queue/delivery-queue.js';
import type { DeliveryRepository } from '../../storage/deliver/delivery.repository.js';

/** Emails of one statement. */
const GROUP = 500;

/** Emails that wait for a hop that was down. */
export class WaitingEmails {
  private running: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly repository: Pick<DeliveryRepository, 'release'>,
    private readonly queue: Pick<DeliveryQueue, 'wake'>,
    /** See `HopBits`. */
    private readonly hop: bigint,
  ) {}

  /**
   * Makes all of them due, the oldest first, and wakes them. Resolves when none is left, or when `mayGoOn` returns
   * false. Simultaneous callers share one release. Rejects when PostgreSQL fails.
   */
  release(mayGoOn: () => boolean): Promise<void> {
    this.again = true;
    this.running ??= this.releaseAll(mayGoOn).finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async releaseAll(mayGoOn: () => boolean): Promise<void> {
    while (this.again && mayGoOn()) {
      this.again = false;
      const { emails, more } = await this.repository.release(this.hop, GROUP);
      for (const email of emails) this.queue.wake({ ...email, delay: 0, mayShare: true });
      this.again ||= more;
    }
  }
}
