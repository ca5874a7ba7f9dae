import { Semaphore } from '../../shared/work/semaphore.js';
import type { Destination } from '../ports/email-transport.js';

/** How long a large email waits for room, in milliseconds. */
const PATIENCE = 1_000;

/**
 * Room in memory for the contents of large emails. A destination has at most half of it, and all that are not known to answer
 * quickly have half together, so that contents for those that hang leave room for others. One content that is larger than
 * what it may have is let in alone: it then counts as that much, and takes more memory.
 */
export class ContentRoom {
  private readonly whole: Semaphore;
  private readonly half: number;
  /** By what shares a half: the name of a destination, or nothing for those that are not known to answer quickly. */
  private readonly halves = new Map<string, Semaphore>();

  /** @param bytes of contents at the same time */
  constructor(bytes: number) {
    this.whole = new Semaphore(bytes);
    this.half = Math.floor(bytes / 2);
  }

  /**
   * Resolves with a function that gives the room back; undefined when there was none in time.
   *
   * @param destination of the email. Undefined where there is only one
   */
  async take(bytes: number, destination?: Destination): Promise<(() => void) | undefined> {
    if (!destination) return this.takeOfWhole(bytes);
    const sharer = destination.speed === 'quick' ? destination.name : '';
    const half = this.halves.get(sharer) ?? new Semaphore(this.half);
    this.halves.set(sharer, half);
    if (!(await half.acquire(bytes, PATIENCE))) return undefined;
    const giveHalfBack = () => {
      half.release(bytes);
      if (half.taken === 0) this.halves.delete(sharer);
    };
    const giveBack = await this.takeOfWhole(Math.min(bytes, this.half));
    if (!giveBack) {
      giveHalfBack();
      return undefined;
    }
    return () => {
      giveBack();
      giveHalfBack();
    };
  }

  private async takeOfWhole(bytes: number): Promise<(() => void) | undefined> {
    return (await this.whole.acquire(bytes, PATIENCE)) ? () => this.whole.release(bytes) : undefined;
  }
}
