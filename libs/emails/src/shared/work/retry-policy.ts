const JITTER = 0.1;

/** When to try again, as data: one waiting time per failed attempt, in milliseconds. */
export class RetryPolicy {
  /** @param random from 0 to 1, or from -1, so that what failed may come back a little earlier too. Default: from 0 */
  constructor(
    private readonly schedule: readonly number[],
    private readonly random: () => number = Math.random,
  ) {}

  /** What all waits come to: how old something becomes that is tried in vain. Milliseconds. */
  get longest(): number {
    return this.schedule.reduce((sum, wait) => sum + wait, 0);
  }

  /**
   * Milliseconds to wait after the `attempts`-th attempt (from 1), up to a tenth longer so that what failed
   * together does not come back together. `undefined`: give up.
   */
  waitAfter(attempts: number): number | undefined {
    const wait = this.schedule[attempts - 1];
    return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * this.random()));
  }
}
