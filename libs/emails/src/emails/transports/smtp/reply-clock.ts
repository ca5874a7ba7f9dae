/** Calls back when a single thing takes too long, even if bytes arrive meanwhile. */
export class ReplyClock<Awaited extends object> {
  private awaited: Awaited | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly late: (awaited: Awaited) => void) {}

  /** Starts the time for this, unless it runs already. Undefined: nothing is awaited. */
  await(awaited: Awaited | undefined, patience: (awaited: Awaited) => number): void {
    if (awaited === this.awaited) return;
    clearTimeout(this.timer);
    this.awaited = awaited;
    if (awaited) this.timer = setTimeout(() => this.late(awaited), patience(awaited)).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
