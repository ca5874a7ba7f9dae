import { FairShares } from '../../shared/work/fair-shares.js';

/** Limit of a process's concurrent requests, and the limit of those to endpoints that do not count as responsive. */
const MAX = 500;
const MAX_DOUBTFUL = MAX / 2;
/**
 * Share of the free slots that an account may have. A single account gets 100, enough for ten endpoints at their limit.
 */
const SHARE = 1 / 4;

/** Slots for the concurrent requests of a process: fair among accounts, with a reserve for responsive endpoints. */
export class RequestSlots {
  private readonly all = new FairShares(MAX, SHARE);
  private readonly doubtful = new FairShares(MAX_DOUBTFUL, SHARE);

  /** Resolves with the function that releases the slot; rejects when the signal is aborted before. */
  async acquire(accountId: string, answers: boolean, signal: AbortSignal): Promise<() => void> {
    if (answers) return this.all.acquire(accountId, signal);
    const leaveDoubtful = await this.doubtful.acquire(accountId, signal);
    try {
      const leave = await this.all.acquire(accountId, signal);
      return () => {
        leave();
        leaveDoubtful();
      };
    } catch (error) {
      leaveDoubtful();
      throw error;
    }
  }
}
