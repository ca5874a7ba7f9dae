import { FairShares } from '../../shared/work/fair-shares.js';

/** Requests of a process at the same time, and those of them to endpoints that are not known to answer. */
const MOST = 500;
const MOST_DOUBTFUL = MOST / 2;
/** Of what is free, as much as an account may have. One account gets 100, as many as ten endpoints take at most. */
const SHARE = 1 / 4;

/** The requests that a process makes at the same time: fair among accounts, with room for endpoints that answer. */
export class RequestSlots {
  private readonly all = new FairShares(MOST, SHARE);
  private readonly doubtful = new FairShares(MOST_DOUBTFUL, SHARE);

  /** Resolves with the function that gives the slot back; rejects when the signal is aborted before. */
  async take(accountId: string, answers: boolean, signal: AbortSignal): Promise<() => void> {
    if (answers) return this.all.take(accountId, signal);
    const leaveDoubtful = await this.doubtful.take(accountId, signal);
    try {
      const leave = await this.all.take(accountId, signal);
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
