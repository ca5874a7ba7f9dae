import { Injectable, Logger } from '@nestjs/common';
import { PeriodicTask } from '../periodic/periodic-task.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import type { DeliveryRepository, DuePlace } from '../storage/delivery.repository.js';

/** Due for longer than this, in milliseconds, an email's hint is given again. The first look waits for no hint. */
const GRACE = 1_000;
/** Emails of one look, and of one that follows at once. */
const BATCH = 500;
const LARGE_BATCH = 2_000;

/**
 * Rebuilds the queue from PostgreSQL: finds emails that are due and in nobody's hands, or will be due before the next
 * look, whatever became of their hints, and hints again. Hints that are still in the queue are not doubled. Any number
 * of processes may sweep.
 *
 * A look that finds as many as it may is followed by another one as soon as this process has not enough to do: then the
 * queue has lost its jobs, and the sweep stands in for it.
 */
@Injectable()
export class RecoveryService {
  private readonly logger = new Logger(RecoveryService.name);
  private readonly task: PeriodicTask;
  private grace = 0;
  /** Where the last look ended that found as many as it may. */
  private place: DuePlace | undefined;
  private lookedAt = 0;

  /**
   * @param interval milliseconds between two sweeps
   * @param isIdle whether this process could work on more emails than the queue gives it
   */
  constructor(
    private readonly repository: Pick<DeliveryRepository, 'overdue'>,
    private readonly queue: Pick<DeliveryQueue, 'hint'>,
    private readonly interval: number,
    private readonly isIdle: () => boolean,
  ) {
    this.task = new PeriodicTask(
      () => this.sweep(),
      interval,
      () => this.logger.warn('Looking for due emails failed. It will be tried again.'),
    );
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  /** Resolves with true when it should be called again soon. */
  async sweep(): Promise<boolean> {
    if (!this.place || performance.now() - this.lookedAt >= this.interval) return this.look(BATCH);
    return this.isIdle() ? this.look(LARGE_BATCH, this.place) : true;
  }

  /** From the email that has been due for longest, or from behind `place`. */
  private async look(limit: number, place?: DuePlace): Promise<boolean> {
    this.lookedAt = performance.now();
    const hints = await this.repository.overdue(this.grace, this.interval + GRACE, limit, place);
    for (const hint of hints) this.queue.hint(hint);
    this.grace = GRACE;
    this.place = hints.length === limit ? hints.at(-1) : undefined;
    return this.place !== undefined;
  }
}
