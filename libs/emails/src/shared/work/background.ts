import { setTimeout } from 'node:timers/promises';

/** Of the time that its work takes, how much more it rests while the process has no time to spare. */
const RESTS = 9;
/** What may add up before it is asked whether that is so. Milliseconds of work. */
const UNASKED = 10;
/** How long one rest is before it is asked anew whether that is so, and how many follow each other at most. Milliseconds. */
const SLICE = 5;
const LONGEST = 1_000;
/** Of the time, above which the event loop has none to spare. */
const BUSY = 0.8;

/**
 * Work that others shall not notice: while the event loop is busy with theirs, it takes about a tenth of the time; when the
 * loop has time to spare, as much as it likes. It is never kept from going on for more than a second.
 */
export class Background {
  private owed = 0;

  /** Work took so many milliseconds of the event loop, or is about to. Resolves when it may go on. */
  async spend(milliseconds: number): Promise<void> {
    this.owed += milliseconds * RESTS;
    if (this.owed < UNASKED * RESTS) return;
    const until = performance.now() + Math.min(this.owed, LONGEST);
    this.owed = 0;
    do {
      const before = performance.eventLoopUtilization();
      await setTimeout(SLICE);
      if (performance.eventLoopUtilization(before).utilization < BUSY) return;
    } while (performance.now() < until);
  }
}
