/** Between which shares of itself a waiting time varies, so that what failed together does not come back together. */
export interface Jitter {
  least: number;
  most: number;
}

/** Never sooner than the schedule says: up to a tenth longer. */
const LATER: Jitter = { least: 1, most: 1.1 };

/** When to try again, as data: one waiting time in milliseconds per failed attempt. */
export class RetryPolicy {
  constructor(
    private readonly schedule: readonly number[],
    private readonly random: () => number = Math.random,
    private readonly jitter: Jitter = LATER,
  ) {}

  /** How old something may become that waits without being tried: as old as what is tried in vain. Milliseconds. */
  get longest(): number {
    return this.schedule.reduce((sum, wait) => sum + wait, 0);
  }

  /** Milliseconds to wait after the `attempts`-th attempt (from 1). `undefined`: give up. */
  waitAfter(attempts: number): number | undefined {
    const wait = this.schedule[attempts - 1];
    if (wait === undefined) return undefined;
    const { least, most } = this.jitter;
    return Math.round(wait * (least + (most - least) * this.random()));
  }
}
