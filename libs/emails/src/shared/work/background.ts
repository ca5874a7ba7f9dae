/** Of the time that its work takes, how much more it rests while others keep the process busy. */
const RESTS = 9;
/** Milliseconds: the shortest rest and the longest, and over how long it is judged whether others are busy, at least. */
const SHORTEST = 5;
const LONGEST = 1_000;
const WINDOW = 100;
/** The share of the time for which others have the event loop that makes them busy. */
const BUSY = 0.3;

/**
 * Work that others shall not notice: while they have the event loop for much of the time it takes about a tenth of the time,
 * else as much as it likes. It is never kept from going on for more than a second.
 */
export class Background {
  private owed = 0;
  private spent = 0;
  private isBusy = false;
  private since = performance.eventLoopUtilization();

  /** Work took so many milliseconds of the event loop, or is about to. Resolves when it may go on. */
  async spend(milliseconds: number): Promise<void> {
    this.owed += milliseconds * RESTS;
    this.spent += milliseconds;
    this.judge();
    if (!this.isBusy) this.owed = 0;
    if (this.owed < SHORTEST) return;
    const rest = Math.min(this.owed, LONGEST);
    this.owed = 0;
    await new Promise((resolve) => setTimeout(resolve, rest));
  }

  /** What others did is what was done without this. */
  private judge(): void {
    const { active, idle } = performance.eventLoopUtilization(this.since);
    if (active + idle < WINDOW) return;
    this.isBusy = active - this.spent > BUSY * (active + idle);
    this.since = performance.eventLoopUtilization();
    this.spent = 0;
  }
}
