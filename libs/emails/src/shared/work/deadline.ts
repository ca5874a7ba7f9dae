/** An `AbortSignal.timeout` that can be paused. `clear` must end it. */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private since = 0;

  /** @param left milliseconds */
  constructor(private left: number) {
    this.run();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The time that `wait` takes does not count. */
  async pauseFor(wait: () => Promise<void>): Promise<void> {
    this.clear();
    this.left -= performance.now() - this.since;
    try {
      await wait();
    } finally {
      this.run();
    }
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  private run(): void {
    this.since = performance.now();
    this.timer = setTimeout(() => this.controller.abort(), Math.max(this.left, 0));
  }
}
