import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import type { EmailIndexRepository } from '../storage/email-index.repository.js';
import type { HousekeepingRepository } from '../storage/housekeeping.repository.js';
import { IndexWalk } from './index-walk.js';
import { type CleanUp, OldEmailsWalk, STEP } from './old-emails-walk.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Keys deleted at a time, and whole answers, which have up to a hundred ids each. */
const KEYS = 1_000;
const ANSWERS = 100;

/** How long what an email leaves behind is kept after its acceptance, in milliseconds; undefined: for good. */
export interface Retention {
  content: number | undefined;
  events: number | undefined;
}

/**
 * Removes expired idempotency keys and answers every minute, and every hour attachment contents that no email refers to
 * and what the retention says, in small steps that lock few rows for a short time. And makes emails of an earlier version
 * findable.
 */
@Injectable()
export class HousekeepingService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HousekeepingService.name);
  private readonly tasks: PeriodicTask[];

  constructor(repository: HousekeepingRepository, index: EmailIndexRepository, { content, events }: Retention) {
    const indexWalk = new IndexWalk(index);
    this.tasks = [
      this.task(MINUTE, async () => (await repository.deleteExpiredKeys(KEYS)) === KEYS),
      this.task(MINUTE, async () => (await repository.deleteExpiredAnswers(ANSWERS)) === ANSWERS),
      this.task(HOUR, walkThroughContents(repository)),
      this.task(MINUTE, () => indexWalk.step()),
    ];
    if (content !== undefined) this.walkHourly((stretch) => repository.clearContents(stretch, content, STEP));
    if (events !== undefined) this.walkHourly((stretch) => repository.deleteHistory(stretch, events, STEP));
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  private walkHourly(cleanUp: CleanUp): void {
    for (const from of ['past', 'ahead'] as const) {
      const walk = new OldEmailsWalk(from, cleanUp);
      this.tasks.push(this.task(HOUR, () => walk.step()));
    }
  }

  private task(interval: number, work: () => Promise<boolean>): PeriodicTask {
    return new PeriodicTask(work, interval, () => this.logger.warn('Housekeeping failed. It will be tried again.'));
  }
}

/** From the first content to the last, a step at a time, and then again. */
function walkThroughContents(repository: HousekeepingRepository): () => Promise<boolean> {
  let hash = '';
  return async () => {
    const last = await repository.deleteOrphanedContents(hash, STEP);
    hash = last ?? '';
    return last !== undefined;
  };
}
