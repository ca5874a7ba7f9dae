import { FairTurns } from '../../shared/work/fair-turns.js';
import { Semaphore } from '../../shared/work/semaphore.js';

/** Places for the emails that a process works on at the same time. The two lanes share them (`FairTurns`). */
export class DeliveryPlaces {
  private readonly free: Semaphore;
  private readonly turns = new FairTurns();

  constructor(most: number) {
    this.free = new Semaphore(most);
  }

  /** Acquires a place at once. False if none is free. */
  tryAcquire(): boolean {
    return this.free.tryAcquire();
  }

  /**
   * Resolves with false after the timeout, or when it is closed. Else `release` follows.
   *
   * @param patience milliseconds. Default: none
   */
  async acquire(isBulk: boolean, patience?: number): Promise<boolean> {
    const lane = { accountId: '', isBulk };
    const turn = this.turns.take(lane, 1);
    const acquired = await this.free.acquire(patience, turn);
    if (acquired) this.turns.serve(turn);
    else this.turns.giveBack(lane, turn);
    return acquired;
  }

  release(): void {
    this.free.release();
  }

  /** Ends all waits, also later ones. */
  close(): void {
    this.free.close();
  }
}
