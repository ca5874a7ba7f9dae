/** Of how many may be under way at once. */
export interface LimitBounds {
  least: number;
  most: number;
  /** How many at the beginning. Default: the most. */
  first?: number;
}

/**
 * How many may be under way at once, found out from what comes of them: one more for each round that goes well, half as
 * many when somebody says that it is too much (additive increase, multiplicative decrease; RFC 5681 section 3.1). Until
 * the first that is slow or too much, one more for each that goes well (slow start).
 */
export class AdaptiveLimit {
  private exact: number;
  /** Up to which it grows with each that goes well. */
  private threshold: number;
  /** When it was halved. What began before says nothing new. */
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

  /** One went well. */
  succeeded({ slowly = false } = {}): void {
    if (slowly) this.threshold = Math.min(this.threshold, this.exact);
    this.exact = Math.min(this.bounds.most, this.exact + (this.exact < this.threshold ? 1 : 1 / this.value));
  }

  /** One was too much. @param began when it was begun, by the same clock */
  pushedBack(began: number): void {
    if (began < this.halvedAt) return;
    this.halvedAt = this.now();
    this.exact = Math.max(this.bounds.least, this.exact / 2);
    this.threshold = this.exact;
  }
}
