import { Injectable, Logger } from '@nestjs/common';
import { PeriodicTask } from '../periodic/periodic-task.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import type { DeliveryRepository } from '../storage/delivery.repository.js';

/** Due for longer than this, in milliseconds, an email's hint is given again. The first look waits for no hint. */
const GRACE = 1_000;
const BATCH = 500;

/**
 * Rebuilds the queue from PostgreSQL: finds emails that are due and in nobody's hands, or will be due before the next
 * look, whatever became of their hints, and hints again. Hints that are still in the queue are not doubled. Any number
 * of processes may sweep.
 */
@Injectable()
export class RecoveryService {
  private readonly logger = new Logger(RecoveryService.name);
  private readonly task: PeriodicTask;
  private grace = 0;

  /** @param interval milliseconds between two sweeps */
  constructor(
    private readonly repository: DeliveryRepository,
    private readonly queue: DeliveryQueue,
    private readonly interval: number,
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

  async sweep(): Promise<void> {
    for (const hint of await this.repository.overdue(this.grace, this.interval + GRACE, BATCH)) this.queue.hint(hint);
    this.grace = GRACE;
  }
}
