import { Injectable, Logger } from '@nestjs/common';
import { Sweep } from '../../shared/work/sweep.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import type { ByLane } from '../states/email-priorities.js';
import type { DeliveryRepository, OverdueEmail } from '../storage/deliver/delivery.repository.js';
import type { Routes } from './routes/routes.js';

/** Time after which an overdue email is woken again. The first look does not wait. Milliseconds. */
const GRACE = 1_000;

/**
 * Time after which an email that this process keeps waking is delivered without the queue. BullMQ 6.7 may leave a worker
 * of a Redis Cluster without a connection after a node was away: its queue then gives no jobs. Milliseconds.
 */
const QUEUE_PATIENCE = 10_000;

/** Pause between two warnings about a queue that gives no jobs. Milliseconds. */
const WARNING_PAUSE = 60_000;

const NO_LINE: ByLane = { now: 0, bulk: 0 };

/** Least time between two looks at emails that are kept for paused transports alone; the most is twice as long. Milliseconds. */
const KEPT_INTERVAL = 900_000;

/**
 * Share of time for looks from the beginning. Entries of delivered emails lie before those of due ones while an old
 * snapshot is held: by a backup, a report, a forgotten transaction.
 */
const FROM_BEGINNING = 1 / 100;

/**
 * Rebuilds the queue from PostgreSQL. It finds emails that are due without a lease, or will be due before the next
 * look, and wakes them again, whether or not their wake-ups were lost. Emails that fell due after the first one in the
 * queue of their lane are left to the queue, where they wait behind it. Any number of processes may sweep.
 *
 * A look that reaches its limit is followed by another one as soon as this process has too little to do: then the queue
 * has lost its jobs, and the sweep replaces it.
 *
 * An email whose wake-ups have no effect is delivered by the process that finds it, while that has free capacity.
 *
 * The sweep also releases emails that wait for a next hop that is up again: the process that made them wait may be
 * dead. And it looks again at emails that are kept for paused transports alone.
 */
@Injectable()
export class RecoveryService {
  private readonly logger = new Logger(RecoveryService.name);
  private readonly task: Sweep<string>;
  private grace = 0;
  /** When emails that are kept for paused transports are looked at. Milliseconds of `now()`. */
  private keptAt = Number.NEGATIVE_INFINITY;
  /** True if the last look found any. Without due emails, the queue is not asked for its longest wait. */
  private mayHaveLine = true;
  /** The first email of the last look. */
  private head: string | undefined;
  /** The time before which the last look found none. */
  private clearTo: string | undefined;
  /** When the next look starts from the beginning. Milliseconds of `now()`. */
  private beginningAt = 0;
  /** When this process first woke the emails of the last look, by email and fence. Milliseconds of `now()`. */
  private wokenAt = new Map<string, number>();
  private readonly direct = new Set<Promise<unknown>>();
  private warnedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param interval milliseconds between two sweeps
   * @param isIdle whether this process could work on more emails than the queue gives it
   * @param deliver delivers an email under a lease, as for a job
   */
  constructor(
    private readonly repository: Pick<DeliveryRepository, 'overdue' | 'releaseKeptForTransports'>,
    private readonly queue: Pick<DeliveryQueue, 'wake' | 'longestWait'>,
    private readonly routes: Pick<Routes, 'upBits' | 'goOn' | 'stop'>,
    private readonly interval: number,
    private readonly isIdle: () => boolean,
    private readonly deliver: (emailId: string) => Promise<unknown>,
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

  async stop(): Promise<void> {
    this.routes.stop();
    await this.task.stop();
    await Promise.all(this.direct);
  }

  /** Resolves with true when it should be called again soon. */
  sweep(): Promise<boolean> {
    return this.task.once();
  }

  /**
   * Looks from the longest overdue email, or from `place`: the due time of the last ones found. More emails of the same
   * due time appear while these are being worked on.
   */
  private async look(limit: number, place?: string): Promise<string | undefined> {
    await this.releaseKept();
    const line = this.mayHaveLine ? await this.queue.longestWait() : NO_LINE;
    const grace = { now: this.graceBehind(line.now), bulk: this.graceBehind(line.bulk) };
    const ahead = this.interval + GRACE;
    const began = this.now();
    const from = place ?? (began < this.beginningAt ? this.clearTo : undefined);
    const found = await this.repository.overdue(grace, ahead, limit, this.routes.upBits, from);
    if (from === undefined) this.beginningAt = this.now() + (this.now() - began) / FROM_BEGINNING;
    if (place === undefined) this.clearTo = found.clearTo;
    const { emails: wakeUps, anyWaits } = found;
    this.wake(wakeUps, place === undefined ? [] : this.wokenAt);
    if (anyWaits) await this.routes.goOn();
    this.mayHaveLine = line.now > 0 || line.bulk > 0 || wakeUps.length > 0;
    this.grace = GRACE;
    const stands = wakeUps[0]?.emailId === this.head && wakeUps.at(-1)?.dueAt === place;
    this.head = wakeUps[0]?.emailId;
    return wakeUps.length < limit || stands ? undefined : wakeUps.at(-1)?.dueAt;
  }

  /** @param line milliseconds that the first job of a lane has waited */
  private graceBehind(line: number): number {
    return line > 0 ? line + GRACE : this.grace;
  }

  /** At the start, and now and then, as the transports of emails may have become others. */
  private async releaseKept(): Promise<void> {
    if (this.now() < this.keptAt) return;
    await this.repository.releaseKeptForTransports();
    this.keptAt = this.now() + KEPT_INTERVAL * (1 + Math.random());
  }

  /** @param before emails of this round that were woken already */
  private wake(wakeUps: readonly OverdueEmail[], before: Iterable<[string, number]>): void {
    const now = this.now();
    const wokenAt = new Map(before);
    for (const wakeUp of wakeUps) {
      const key = `${wakeUp.emailId} ${wakeUp.fence}`;
      const since = this.wokenAt.get(key) ?? now;
      if (wakeUp.delay === 0) wokenAt.set(key, since);
      if (now - since < QUEUE_PATIENCE || !this.isIdle()) this.queue.wake(wakeUp);
      else this.deliverDirectly(wakeUp.emailId);
    }
    this.wokenAt = wokenAt;
  }

  private deliverDirectly(emailId: string): void {
    if (this.now() - this.warnedAt >= WARNING_PAUSE) {
      this.warnedAt = this.now();
      this.logger.warn('A queue does not give its jobs to this process. Due emails are delivered without it.');
    }
    const delivered = this.deliver(emailId)
      // The failure is reported already, and the next look finds the email again.
      .catch(() => {})
      .finally(() => this.direct.delete(delivered));
    this.direct.add(delivered);
  }
}
