/** How long nothing at all may come. Milliseconds. */
const STALL = 5_000;

/**
 * Whether bytes come at a rate, with pauses of up to five seconds. Being faster before makes no pause
 * longer: a burst buys nobody the time to keep it.
 */
export class Pace {
  private deadline = performance.now() + STALL;

  /** @param rate bytes for each millisecond */
  constructor(private readonly rate: number) {}

  /** So many bytes have come. */
  advance(bytes: number): void {
    this.deadline = Math.min(this.deadline + bytes / this.rate, performance.now() + STALL);
  }

  /** So many milliseconds do not count: they were ours. */
  excuse(milliseconds: number): void {
    this.deadline += milliseconds;
  }

  get isSlow(): boolean {
    return performance.now() > this.deadline;
  }
}
