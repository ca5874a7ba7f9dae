import { Logger } from '@nestjs/common';
import { isNoRowsFault } from '../errors/database-errors.js';
import { Batcher } from './batcher.js';
import { Semaphore } from './semaphore.js';

const GROUP = 1_000;

/** Something that this process works on, and no other as long as the number has not moved on. */
export interface HeldLease {
  id: string;
  fence: number;
}

/**
 * What became of a write under a lease: `done`; `lost`, nothing was written and nothing can be; `locked`, nothing was
 * written because somebody has a row of it locked.
 */
export type LeaseWrite = 'done' | 'lost' | 'locked';

/** Where leases are renewed. Durations are in milliseconds. */
export interface LeaseStorage {
  extend(leases: readonly HeldLease[], duration: number): Promise<LeaseWrite[]>;
  /** Waits for the row. */
  extendLocked(lease: HeldLease, duration: number): Promise<LeaseWrite>;
}

/**
 * Renews the leases of what this process is working on, many in one statement. A lease that somebody has locked is
 * renewed alone, by a statement that waits, so that it holds up no other and comes first when it is free again.
 */
export class LeaseRenewal {
  private readonly logger = new Logger(LeaseRenewal.name);
  /** Until when each lease is known to hold, by `performance.now()`. */
  private readonly held = new Map<HeldLease, number>();
  private readonly renewals: Batcher<HeldLease, LeaseWrite>;
  /** One connection, for the renewals that wait for a lock. */
  private readonly lockedRenewals = new Semaphore(1);
  /** Whose renewal waits for a lock. */
  private readonly waiting = new Set<HeldLease>();
  private timer: NodeJS.Timeout | undefined;
  private failing = false;

  /** @param duration of a lease, in milliseconds; renewed three times in that time */
  constructor(
    private readonly storage: LeaseStorage,
    private readonly duration: number,
  ) {
    this.renewals = new Batcher((leases) => storage.extend(leases, duration), {
      maxSize: GROUP,
      mayDivide: (error) => !isNoRowsFault(error),
    });
  }

  /**
   * Renews `lease` until the returned function is called.
   *
   * @param since when it was asked for at the latest, by `performance.now()`: it began no earlier
   */
  hold(lease: HeldLease, since: number): () => void {
    this.held.set(lease, since + this.duration);
    this.timer ??= setInterval(() => void this.renewAll(), this.duration / 3);
    return () => {
      this.held.delete(lease);
      if (this.held.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  /** Whether this process knows that nobody else can have it: by its own clock, whatever PostgreSQL's says. */
  holds(lease: HeldLease): boolean {
    return performance.now() < (this.held.get(lease) ?? 0);
  }

  private async renewAll(): Promise<void> {
    // The last renewals have not even begun.
    if (this.renewals.size > 0) return;
    const renewals = await Promise.allSettled(Array.from(this.held.keys(), (lease) => this.renew(lease)));
    this.report(renewals.some(({ status }) => status === 'rejected'));
  }

  private async renew(lease: HeldLease): Promise<void> {
    const written = await this.extend(lease, () => this.renewals.add(lease));
    if (written === 'locked' && !this.waiting.has(lease)) void this.renewLocked(lease);
  }

  private async renewLocked(lease: HeldLease): Promise<void> {
    this.waiting.add(lease);
    try {
      await this.extend(lease, () => this.lockedRenewals.run(() => this.storage.extendLocked(lease, this.duration)));
    } catch {
      // It was locked for longer than a statement may wait. The next renewal tries again.
    } finally {
      this.waiting.delete(lease);
    }
  }

  private async extend(lease: HeldLease, renew: () => Promise<LeaseWrite>): Promise<LeaseWrite> {
    const asked = performance.now();
    const written = await renew();
    if (written === 'done' && this.held.has(lease)) this.held.set(lease, asked + this.duration);
    return written;
  }

  private report(failing: boolean): void {
    if (failing && !this.failing) {
      this.logger.warn('Leases could not be renewed. Other workers may take over what they are for.');
    }
    this.failing = failing;
  }
}
