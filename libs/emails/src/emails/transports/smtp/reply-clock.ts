/** Calls back when one thing takes too long, whatever comes meanwhile. */
export class ReplyClock<Awaited extends object> {
  private awaited: Awaited | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly late: (awaited: Awaited) => void) {}

  /** Runs for this from now on, unless it does already. Undefined: nothing is awaited. */
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
