import { FairShares } from '../../shared/work/fair-shares.js';
import type { Responsiveness } from './endpoint-window.js';

/** Limit of a process's concurrent requests, and the limits of those to endpoints that do not count as responsive. */
const MAX = 500;
const MAX_DOUBTFUL = 100;
const MAX_UNKNOWN = 150;
/**
 * Share of the free slots that an account may have. A single account gets 100, enough for ten endpoints at their limit.
 */
const SHARE = 1 / 4;

/**
 * Slots for the concurrent requests of a process: fair among accounts, with a reserve for responsive endpoints, and one
 * for those that have not answered yet.
 */
export class RequestSlots {
  private readonly all = new FairShares(MAX, SHARE);
  private readonly others = {
    doubtful: new FairShares(MAX_DOUBTFUL, SHARE),
    unknown: new FairShares(MAX_UNKNOWN, SHARE),
  };

  /** Resolves with the function that releases the slot; rejects when the signal is aborted before. */
  async acquire(accountId: string, kind: Responsiveness, signal: AbortSignal): Promise<() => void> {
    if (kind === 'responsive') return this.all.acquire(accountId, signal);
    const leaveOthers = await this.others[kind].acquire(accountId, signal);
    try {
      const leave = await this.all.acquire(accountId, signal);
      return () => {
        leave();
        leaveOthers();
      };
    } catch (error) {
      leaveOthers();
      throw error;
    }
  }
}
