/** Waits that are shorter are no backlog. Milliseconds. */
const BACKLOG = 1_000;
/** How long a wait is remembered. Milliseconds. */
const MEMORY = 1_000;

/** How long jobs waited until a worker took them. */
export class JobWaits {
  private longest = 0;
  private since = Number.NEGATIVE_INFINITY;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** True if a job that waited this long was taken before others that wait at least twice as long. Milliseconds. */
  isAhead(wait: number): boolean {
    if (wait >= this.longest || this.now() - this.since > MEMORY) {
      this.longest = wait;
      this.since = this.now();
    }
    return this.longest >= BACKLOG && wait * 2 <= this.longest;
  }
}
