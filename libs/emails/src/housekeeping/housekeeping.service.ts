import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '../periodic/periodic-task.js';
import { FIRST_PLACE, type HousekeepingRepository } from '../storage/housekeeping.repository.js';

const MINUTE = 60_000;
const STEP = 1_000;

/** How long what an email leaves behind is kept after its acceptance, in milliseconds; undefined: for good. */
export interface Retention {
  content: number | undefined;
  events: number | undefined;
}

/**
 * Removes expired idempotency keys every minute, and every hour attachment contents that no email refers to and what the
 * retention says, in small steps that lock few rows for a short time.
 */
@Injectable()
export class HousekeepingService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HousekeepingService.name);
  private readonly tasks: readonly PeriodicTask[];

  constructor(repository: HousekeepingRepository, { content, events }: Retention) {
    this.tasks = [
      this.task(MINUTE, () => inSteps(STEP, (limit) => repository.deleteExpiredKeys(limit))),
      this.task(60 * MINUTE, async () => {
        if (content !== undefined) await walk((place) => repository.clearContents(place, content, STEP));
        if (events !== undefined) await walk((place) => repository.deleteHistory(place, events, STEP));
        await inSteps(10, (limit) => repository.deleteOrphanedContents(limit));
      }),
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

async function walk(step: (place: string) => Promise<string | undefined>): Promise<void> {
  for (let place: string | undefined = FIRST_PLACE; place !== undefined; ) place = await step(place);
}
