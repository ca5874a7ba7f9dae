/** Ratio of rest to work while others keep the process busy. */
const RESTS = 9;
/** Shortest and longest rest, and the minimal period for judging whether others are busy. Milliseconds. */
const SHORTEST = 5;
const LONGEST = 1_000;
const WINDOW = 100;
/** Share of the event loop above which others count as busy. */
const BUSY = 0.3;

/**
 * Background work: while others keep the event loop busy it takes about a tenth of the time, otherwise as much as it
 * needs. It never pauses for more than a second.
 */
export class Background {
  private pendingWork = 0;
  private spent = 0;
  private isBusy = false;
  private since = performance.eventLoopUtilization();

  /** Records event-loop time that the work used, or is about to use, in milliseconds. Resolves when it may continue. */
  async spend(milliseconds: number): Promise<void> {
    this.pendingWork += milliseconds * RESTS;
    this.spent += milliseconds;
    this.judge();
    if (!this.isBusy) this.pendingWork = 0;
    if (this.pendingWork < SHORTEST) return;
    const rest = Math.min(this.pendingWork, LONGEST);
    this.pendingWork = 0;
    await new Promise((resolve) => setTimeout(resolve, rest));
  }

  /** Time used by other work. */
  private judge(): void {
    const { active, idle } = performance.eventLoopUtilization(this.since);
    if (active + idle < WINDOW) return;
    this.isBusy = active - this.spent > BUSY * (active + idle);
    this.since = performance.eventLoopUtilization();
    this.spent = 0;
  }
}
