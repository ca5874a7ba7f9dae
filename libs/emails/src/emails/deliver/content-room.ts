import { FairBytes } from '../../shared/work/fair-bytes.js';
import type { Destination } from '../ports/email-transport.js';

/**
 * Time limit for acquiring room for a large email. Milliseconds. At a relay the next one of an account keeps its turn
 * (`FairBytes`); elsewhere it would keep a slot of its destination from others meanwhile.
 */
const PATIENCE = 1_000;

/**
 * Memory limit for the contents of large emails. A destination gets at most half of it. Destinations that are not known
 * to answer quickly share one half, so that contents for hanging destinations leave room for others. A content larger
 * than its limit is admitted alone of its account; it counts as the limit and uses more memory. Accounts that wait take
 * turns, and each leaves half to the others (`FairBytes`).
 */
export class ContentRoom {
  private readonly whole: FairBytes;
  private readonly half: number;
  /**
   * Halves in use, by destination name. The empty name is shared by destinations that are not known to answer quickly.
   */
  private readonly halves = new Map<string, FairBytes>();

  /** @param bytes limit for all contents together */
  constructor(bytes: number) {
    this.whole = new FairBytes(bytes);
    this.half = Math.floor(bytes / 2);
  }

  /**
   * Resolves with a function that releases the room; undefined when there was none in time.
   *
   * @param destination of the email. Undefined where there is only one
   */
  async acquire(accountId: string, bytes: number, destination?: Destination): Promise<(() => void) | undefined> {
    if (!destination) return this.acquireOfWhole(accountId, bytes, true);
    const sharer = destination.speed === 'quick' ? destination.name : '';
    const half = this.halves.get(sharer) ?? new FairBytes(this.half);
    this.halves.set(sharer, half);
    if (!(await half.acquire(accountId, bytes, PATIENCE))) return undefined;
    const releaseHalf = () => {
      half.release(accountId, bytes);
      if (half.isIdle) this.halves.delete(sharer);
    };
    const releaseWhole = await this.acquireOfWhole(accountId, Math.min(bytes, this.half), false);
    if (!releaseWhole) {
      releaseHalf();
      return undefined;
    }
    return () => {
      releaseWhole();
      releaseHalf();
    };
  }

  private async acquireOfWhole(
    accountId: string,
    bytes: number,
    keepsTurn: boolean,
  ): Promise<(() => void) | undefined> {
    return (await this.whole.acquire(accountId, bytes, PATIENCE, keepsTurn))
      ? () => this.whole.release(accountId, bytes)
      : undefined;
  }
}
