/** Delay between the steps of work with more to do. Milliseconds. */
const REST = 50;

/**
 * Runs work periodically: never concurrently, with `interval` milliseconds between an end and the next start. Work that
 * resolves with `true` has more to do, and runs again after a short pause, which leaves time for other work.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private later: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;
  private awoken = false;

  /** @param onFailure is called for every run that rejects; the next run follows anyway */
  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly interval: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Runs it at once, or once more after the current run. */
  wake(): void {
    this.awoken = true;
    if (!this.timer || this.stopped) return;
    clearTimeout(this.timer);
    this.start();
  }

  /** Wakes it after a delay, once for all calls in between. @param delay milliseconds */
  wakeIn(delay: number): void {
    if (this.stopped) return;
    this.later ??= setTimeout(() => {
      this.later = undefined;
      this.wake();
    }, delay).unref();
  }

  /** Resolves when no run is in progress and none will follow. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.later);
    await this.running;
  }

  private async run(): Promise<void> {
    let more = false;
    this.timer = undefined;
    this.awoken = false;
    try {
      more = (await this.work()) === true;
    } catch (error) {
      this.onFailure(error);
    }
    if (!this.stopped) this.timer = setTimeout(() => this.start(), more || this.awoken ? REST : this.interval);
  }
}
