import { Logger } from '@nestjs/common';
import { isNoRowsFault } from '../errors/database-errors.js';
import { Batcher } from './batcher.js';
import type { LeaseWrite } from './lease-write.js';
import { Semaphore } from './semaphore.js';

const GROUP = 1_000;

export interface LeaseStorage<Lease> {
  /** Renews leases for `duration` milliseconds from now. One answer per lease, in order. */
  extend(leases: readonly Lease[], duration: number): Promise<readonly LeaseWrite[]>;
  /** The same for one lease; waits until it is unlocked. */
  extendLocked(lease: Lease, duration: number): Promise<LeaseWrite>;
}

/**
 * Renews the leases of this process's current work, many in one statement. A locked lease is renewed separately, by a
 * statement that waits, so that it delays no other and is first after the lock.
 */
export class LeaseRenewal<Lease> {
  private readonly logger = new Logger(LeaseRenewal.name);
  /** Guaranteed end of each lease, by `performance.now()`. */
  private readonly held = new Map<Lease, number>();
  private readonly renewals: Batcher<Lease, LeaseWrite>;
  /** One connection, for the renewals that wait for a lock. */
  private readonly lockedRenewals = new Semaphore(1);
  /** Leases whose renewal waits for a lock. */
  private readonly waiting = new Set<Lease>();
  private timer: NodeJS.Timeout | undefined;
  private failing = false;

  /**
   * @param duration of a lease, in milliseconds; renewed three times within it
   * @param leased plural name of the leased objects, for the log
   */
  constructor(
    private readonly storage: LeaseStorage<Lease>,
    private readonly duration: number,
    private readonly leased: string,
  ) {
    this.renewals = new Batcher((leases) => storage.extend(leases, duration), {
      maxSize: GROUP,
      mayDivide: (error) => !isNoRowsFault(error),
    });
  }

  /**
   * Renews `lease` until the returned function is called.
   *
   * @param since latest time of the request for it, by `performance.now()`: it started no earlier
   */
  hold(lease: Lease, since: number): () => void {
    this.held.set(lease, since + this.duration);
    // The timer does not keep the process alive.
    this.timer ??= setInterval(() => void this.renewAll(), this.duration / 3).unref();
    return () => {
      this.held.delete(lease);
      if (this.held.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  /** True if certainly no other process holds the lease, by this process's clock, independent of PostgreSQL's. */
  holds(lease: Lease): boolean {
    return performance.now() < (this.held.get(lease) ?? 0);
  }

  private async renewAll(): Promise<void> {
    // The last renewals have not started yet.
    if (this.renewals.size > 0) return;
    const renewals = await Promise.allSettled(Array.from(this.held.keys(), (lease) => this.renew(lease)));
    this.report(renewals.some(({ status }) => status === 'rejected'));
  }

  private async renew(lease: Lease): Promise<void> {
    const written = await this.extend(lease, () => this.renewals.add(lease));
    if (written === 'locked' && !this.waiting.has(lease)) void this.renewLocked(lease);
  }

  private async renewLocked(lease: Lease): Promise<void> {
    this.waiting.add(lease);
    try {
      await this.extend(lease, () => this.lockedRenewals.run(() => this.storage.extendLocked(lease, this.duration)));
    } catch {
      // It was locked for longer than a statement may wait; the next renewal tries again.
    } finally {
      this.waiting.delete(lease);
    }
  }

  private async extend(lease: Lease, renew: () => Promise<LeaseWrite>): Promise<LeaseWrite> {
    const asked = performance.now();
    const written = await renew();
    if (written === 'done' && this.held.has(lease)) this.held.set(lease, asked + this.duration);
    return written;
  }

  private report(failing: boolean): void {
    if (failing && !this.failing) {
      this.logger.warn(`Leases could not be renewed. Other workers may take these ${this.leased} over.`);
    }
    this.failing = failing;
  }
}
