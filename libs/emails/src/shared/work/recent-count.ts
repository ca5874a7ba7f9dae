/** Counts what happens now and then: how often it did so within a recent span of time. */
export class RecentCount {
  /** Since `since`, and in the same time before that. */
  private count = 0;
  private before = 0;
  private since = Number.NEGATIVE_INFINITY;

  /** @param span milliseconds */
  constructor(
    private readonly span: number,
    private readonly now: () => number,
  ) {}

  /** The larger number of the current span and the one before it. */
  get most(): number {
    this.turn();
    return Math.max(this.count, this.before);
  }

  add(): void {
    this.turn();
    this.count++;
  }

  /** Begins another span when the current one is over. */
  private turn(): void {
    const now = this.now();
    const passed = now - this.since;
    if (passed < this.span) return;
    this.before = passed < 2 * this.span ? this.count : 0;
    this.count = 0;
    this.since = now;
  }
}
