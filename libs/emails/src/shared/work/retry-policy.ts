/** Range of random factors of a delay, so that simultaneous failures are not retried simultaneously. */
export interface Jitter {
  min: number;
  max: number;
}

/** Never earlier than the schedule, up to a tenth longer. */
const LATER: Jitter = { min: 1, max: 1.1 };

/** A retry schedule: one delay in milliseconds per failed attempt. */
export class RetryPolicy {
  constructor(
    private readonly schedule: readonly number[],
    private readonly random: () => number = Math.random,
    private readonly jitter: Jitter = LATER,
  ) {}

  /** Largest age of work without an attempt: the same as with failing attempts. Milliseconds. */
  get longest(): number {
    return this.schedule.reduce((sum, wait) => sum + wait, 0);
  }

  /** Delay after the `attempts`-th attempt (from 1), in milliseconds. `undefined`: give up. */
  waitAfter(attempts: number): number | undefined {
    const wait = this.schedule[attempts - 1];
    if (wait === undefined) return undefined;
    const { min, max } = this.jitter;
    return Math.round(wait * (min + (max - min) * this.random()));
  }

  /** The same for work of this age in milliseconds, however many attempts were counted. */
  waitAt(age: number): number | undefined {
    let end = 0;
    const at = this.schedule.findIndex((wait) => {
      end += wait;
      return age < end;
    });
    return this.waitAfter(at + 1);
  }
}
