/** Between the steps of work that says there is more to do. Milliseconds. */
const REST = 50;

/**
 * Runs work again and again: never twice at the same time, `interval` milliseconds between end and next start. Work that
 * resolves with `true` has more to do, and is run again after a short rest, so that it leaves room for other work.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;
  private awoken = false;

  /** @param onFailure told of every run that rejected; the next run comes all the same */
  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly interval: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Runs it at once, or, where it is running, once more. */
  wake(): void {
    this.awoken = true;
    if (!this.timer || this.stopped) return;
    clearTimeout(this.timer);
    this.start();
  }

  /** Resolves when no run is under way and none will come. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
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
