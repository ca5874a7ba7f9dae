import { Injectable, Logger } from '@nestjs/common';
import { Sweep } from '../../shared/work/sweep.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import type { DeliveryRepository } from '../storage/delivery.repository.js';
import type { NextHop } from './hop/next-hop.js';

/** Due for longer than this, in milliseconds, an email's wake-up is given again. The first look waits for no wake-up. */
const GRACE = 1_000;

/**
 * Looks from the beginning take at most this part of the time. What was delivered lies before what is due, as long as
 * somebody holds an old snapshot: a backup, a report, a forgotten transaction.
 */
const FROM_BEGINNING = 1 / 100;

/**
 * Rebuilds the queue from PostgreSQL: finds emails that are due and in nobody's hands, or will be due before the next
 * look, whatever became of their wake-ups, and gives these again. What fell due after the first in the queue's line is
 * left to the queue, where it waits behind. Any number of processes may sweep.
 *
 * A look that finds as many as it may is followed by another one as soon as this process has not enough to do: then the
 * queue has lost its jobs, and the sweep stands in for it.
 *
 * It also sees whether emails wait for a next hop that is up again: whoever put them there may be dead.
 */
@Injectable()
export class RecoveryService {
  private readonly logger = new Logger(RecoveryService.name);
  private readonly task: Sweep<string>;
  private grace = 0;
  /** Whether the last look found any: where none is due, the queue is not asked how long its line is. */
  private mayHaveLine = true;
  /** The first email that the last look found. */
  private head: string | undefined;
  /** Before which the last look found none. */
  private clearTo: string | undefined;
  /** When the next look is to be from the beginning. Milliseconds, by the clock `now`. */
  private beginningAt = 0;

  /**
   * @param interval milliseconds between two sweeps
   * @param isIdle whether this process could work on more emails than the queue gives it
   */
  constructor(
    private readonly repository: Pick<DeliveryRepository, 'overdue'>,
    private readonly queue: Pick<DeliveryQueue, 'wake' | 'longestWait'>,
    private readonly hop: Pick<NextHop, 'name' | 'goOn' | 'stop'>,
    private readonly interval: number,
    isIdle: () => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.task = new Sweep({
      look: (limit, place) => this.look(limit, place),
      interval,
      isIdle,
      onFailure: () => this.logger.warn('Looking for due emails failed. It will be tried again.'),
    });
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    this.hop.stop();
    return this.task.stop();
  }

  /** Resolves with true when it should be called again soon. */
  sweep(): Promise<boolean> {
    return this.task.once();
  }

  /**
   * From the email that has been due for longest, or from `place`: since when the last ones were due that were found. Of
   * emails that are due at the same moment there is more while they are being worked on.
   */
  private async look(limit: number, place?: string): Promise<string | undefined> {
    const line = this.mayHaveLine ? await this.queue.longestWait() : 0;
    const grace = line > 0 ? line + GRACE : this.grace;
    const ahead = this.interval + GRACE;
    const began = this.now();
    const from = place ?? (began < this.beginningAt ? this.clearTo : undefined);
    const found = await this.repository.overdue(grace, ahead, limit, this.hop.name, from);
    if (from === undefined) this.beginningAt = this.now() + (this.now() - began) / FROM_BEGINNING;
    if (place === undefined) this.clearTo = found.clearTo;
    const { emails: wakeUps, anyWaits } = found;
    for (const wakeUp of wakeUps) this.queue.wake(wakeUp);
    if (anyWaits) await this.hop.goOn();
    this.mayHaveLine = line > 0 || wakeUps.length > 0;
    this.grace = GRACE;
    const stands = wakeUps[0]?.emailId === this.head && wakeUps.at(-1)?.dueAt === place;
    this.head = wakeUps[0]?.emailId;
    return wakeUps.length < limit || stands ? undefined : wakeUps.at(-1)?.dueAt;
  }
}
