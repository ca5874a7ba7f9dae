const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, then every 4 h: five days in all, as RFC 5321 section 4.5.4.1 advises. */
export const DEFAULT_RETRY_SCHEDULE: readonly number[] = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  ...Array.from({ length: 29 }, () => 4 * HOUR),
];

const JITTER = 0.1;

/** When to try again, as data: one waiting time per failed attempt. */
export class RetryPolicy {
  constructor(
    private readonly schedule: readonly number[] = DEFAULT_RETRY_SCHEDULE,
    private readonly random: () => number = Math.random,
  ) {}

  /** How old an email may become that waits for a next hop: as old as one that is tried in vain. Milliseconds. */
  get longest(): number {
    return this.schedule.reduce((sum, wait) => sum + wait, 0);
  }

  /**
   * Milliseconds to wait after the `attempts`-th attempt (from 1), up to a tenth longer so that emails deferred
   * together do not come back together. `undefined`: give up.
   */
  waitAfter(attempts: number): number | undefined {
    const wait = this.schedule[attempts - 1];
    return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * this.random()));
  }
}
