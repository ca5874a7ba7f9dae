/** Bounds of the concurrency limit. */
export interface LimitBounds {
  least: number;
  most: number;
  /** Initial limit. Default: the maximum. */
  first?: number;
}

/**
 * A concurrency limit that adapts to results: one more for each successful round, half after a report of overload
 * (additive increase, multiplicative decrease; RFC 5681 section 3.1). Until the first slow or overloaded result it
 * grows by one for each success (slow start).
 */
export class AdaptiveLimit {
  private exact: number;
  /** Threshold up to which it grows with each success. */
  private threshold: number;
  /** Time of the last halving. Results of tasks that started earlier are ignored. */
  private halvedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly bounds: LimitBounds,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.exact = Math.min(bounds.first ?? bounds.most, bounds.most);
    this.threshold = bounds.most;
  }

  get value(): number {
    return Math.floor(this.exact);
  }

  /** Reports a success. */
  succeeded({ slowly = false } = {}): void {
    if (slowly) this.threshold = Math.min(this.threshold, this.exact);
    this.exact = Math.min(this.bounds.most, this.exact + (this.exact < this.threshold ? 1 : 1 / this.value));
  }

  /** Reports an overload. @param began start of the task, by the same clock */
  pushedBack(began: number): void {
    if (began < this.halvedAt) return;
    this.halvedAt = this.now();
    this.exact = Math.max(this.bounds.least, this.exact / 2);
    this.threshold = this.exact;
  }
}
