import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '../periodic/periodic-task.js';
import type { HousekeepingRepository } from '../storage/housekeeping.repository.js';

const MINUTE = 60_000;

/** Removes expired idempotency keys every minute and orphaned attachment contents every hour, in small steps. */
@Injectable()
export class HousekeepingService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HousekeepingService.name);
  private readonly tasks: readonly PeriodicTask[];

  constructor(repository: HousekeepingRepository) {
    this.tasks = [
      this.task(MINUTE, () => inSteps(1_000, (limit) => repository.deleteExpiredKeys(limit))),
      this.task(60 * MINUTE, () => inSteps(10, (limit) => repository.deleteOrphanedContents(limit))),
    ];
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  private task(interval: number, work: () => Promise<void>): PeriodicTask {
    return new PeriodicTask(work, interval, () => this.logger.warn('Housekeeping failed. It will be tried again.'));
  }
}

async function inSteps(limit: number, step: (limit: number) => Promise<number>): Promise<void> {
  let removed: number;
  do removed = await step(limit);
  while (removed === limit);
}
