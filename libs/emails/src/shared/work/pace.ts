import { LIMITS } from '../limits.js';

const STALL = LIMITS.pause.max;

/**
 * True if bytes arrive at a rate, with pauses of up to five seconds. An earlier burst does not allow a longer pause.
 */
export class Pace {
  private deadline = performance.now() + STALL;

  /** @param rate bytes for each millisecond */
  constructor(private readonly rate: number) {}

  /** Counts bytes that have come. */
  advance(bytes: number): void {
    this.deadline = Math.min(this.deadline + bytes / this.rate, performance.now() + STALL);
  }

  /** Excludes the server's own time. Milliseconds. */
  excuse(milliseconds: number): void {
    this.deadline += milliseconds;
  }

  get isSlow(): boolean {
    return this.lag > 0;
  }

  /** Time since the client became slow; negative while it is not. Milliseconds. */
  get lag(): number {
    return performance.now() - this.deadline;
  }
}
