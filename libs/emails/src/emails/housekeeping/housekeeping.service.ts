import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import type { ActionsRepository } from '../storage/keep/actions.repository.js';
import type { HousekeepingRepository } from '../storage/keep/housekeeping.repository.js';
import type { CountsRepository } from '../storage/read/counts.repository.js';
import { type CleanUp, OldEmailsWalk, STEP } from './old-emails-walk.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Limit of deleted keys per step, and of whole answers, which have up to a hundred ids each. */
const KEYS = 1_000;
const ANSWERS = 100;
/** Actions are kept for 90 days. Milliseconds. */
const ACTIONS_AGE = 90 * 24 * HOUR;
/** Limit of deleted actions per step. */
const ACTIONS = 1_000;
/** Limit of folded counts per step. */
const COUNTS = 10_000;

/** Retention of the parts of an email after its acceptance, in milliseconds; undefined: permanently. */
export interface Retention {
  content: number | undefined;
  events: number | undefined;
}

/**
 * Every minute, folds counts of events and removes expired idempotency keys and answers. Every hour, removes attachment
 * contents without an email, old actions, and data whose retention has ended. It works in small steps that lock few rows for a short
 * time.
 */
@Injectable()
export class HousekeepingService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HousekeepingService.name);
  private readonly tasks: PeriodicTask[];

  constructor(
    repository: HousekeepingRepository,
    counts: Pick<CountsRepository, 'fold'>,
    actions: Pick<ActionsRepository, 'deleteOld'>,
    { content, events }: Retention,
  ) {
    this.tasks = [
      this.task(MINUTE, async () => (await counts.fold(COUNTS)) === COUNTS),
      this.task(MINUTE, async () => (await repository.deleteExpiredKeys(KEYS)) === KEYS),
      this.task(MINUTE, async () => (await repository.deleteExpiredAnswers(ANSWERS)) === ANSWERS),
      this.task(HOUR, walkThroughContents(repository)),
      this.task(HOUR, async () => (await actions.deleteOld(ACTIONS, ACTIONS_AGE)) === ACTIONS),
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

/** From the first content to the last, one step at a time, and then again. */
function walkThroughContents(repository: HousekeepingRepository): () => Promise<boolean> {
  let hash = '';
  return async () => {
    const last = await repository.deleteOrphanedContents(hash, STEP);
    hash = last ?? '';
    return last !== undefined;
  };
}
