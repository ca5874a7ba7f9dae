import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '../periodic/periodic-task.js';
import { FIRST_PLACE, type HousekeepingRepository, type Step } from '../storage/housekeeping.repository.js';

const MINUTE = 60_000;
/** Keys deleted at a time. */
const KEYS = 1_000;
/** Emails or contents looked at a time; each may have many rows elsewhere. */
const STEP = 100;

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
  private readonly tasks: PeriodicTask[];

  constructor(repository: HousekeepingRepository, { content, events }: Retention) {
    this.tasks = [
      this.task(MINUTE, () => deleteExpiredKeys(repository)),
      this.task(60 * MINUTE, () => deleteOrphanedContents(repository)),
    ];
    if (content !== undefined) this.walkHourly((place) => repository.clearContents(place, content, STEP));
    if (events !== undefined) this.walkHourly((place) => repository.deleteHistory(place, events, STEP));
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /** Each walk goes on where the one before came to, or at what that one had to leave for later. */
  private walkHourly(step: (place: string) => Promise<Step | undefined>): void {
    let start = FIRST_PLACE;
    const walk = async () => {
      let left: string | undefined;
      let place = start;
      for (let taken = await step(place); taken !== undefined; taken = await step(place)) {
        if (taken.unfinished) left ??= place;
        place = taken.last;
      }
      start = left ?? place;
    };
    this.tasks.push(this.task(60 * MINUTE, walk));
  }

  private task(interval: number, work: () => Promise<void>): PeriodicTask {
    return new PeriodicTask(work, interval, () => this.logger.warn('Housekeeping failed. It will be tried again.'));
  }
}

async function deleteExpiredKeys(repository: HousekeepingRepository): Promise<void> {
  let removed: number;
  do removed = await repository.deleteExpiredKeys(KEYS);
  while (removed === KEYS);
}

async function deleteOrphanedContents(repository: HousekeepingRepository): Promise<void> {
  let hash: string | undefined = '';
  while (hash !== undefined) hash = await repository.deleteOrphanedContents(hash, STEP);
}
