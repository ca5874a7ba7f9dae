/** Bytes for each millisecond: 0.5 MB a second, at which the largest body takes two minutes. */
const BYTES = 500;
/** How long nothing at all may come. Milliseconds. */
const STALL = 5_000;

/**
 * Whether bytes come at half a megabyte a second, with pauses of up to five seconds. Being faster before makes no pause
 * longer: a burst buys nobody the time to keep it.
 */
export class Pace {
  private deadline = performance.now() + STALL;

  /** So many bytes have come. */
  advance(bytes: number): void {
    this.deadline = Math.min(this.deadline + bytes / BYTES, performance.now() + STALL);
  }

  /** So many milliseconds do not count: they were ours. */
  excuse(milliseconds: number): void {
    this.deadline += milliseconds;
  }

  get isSlow(): boolean {
    return performance.now() > this.deadline;
  }
}
