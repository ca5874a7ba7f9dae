/** Between the beginnings of two questions, in milliseconds. */
const PACE = 1_000;
/** The same at most, where the hop refuses for good: a wrong password that is said each second locks an account. */
const SLOWEST = 30_000;
/** How long one question waits, in milliseconds, while another waits as long as the transport does. */
const PATIENCE = 5_000;
/** Questions at the same time, also to a transport that does not give one up when it is told to. */
const MOST = 6;

/**
 * Asks a hop that is down once a second whether it is back. A question to a host that takes no packets is repeated by the
 * system at ever longer intervals, so that a new one hears first of its return; a hop that is slow to greet answers one
 * that waits. So one waits for as long as it takes, and others for a while.
 */
export class HopProbe {
  private readonly questions = new Set<AbortController>();
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private pace = PACE;

  /**
   * @param ask rejects when there was no answer; given up when the signal says so
   * @param answered called once; nothing is asked any more then
   * @param unanswered called of each that there was no answer to
   */
  constructor(
    private readonly ask: (signal: AbortSignal) => Promise<void>,
    private readonly answered: () => void,
    private readonly unanswered: () => void,
  ) {}

  start(): void {
    if (this.running) return;
    this.running = true;
    this.pace = PACE;
    this.next();
  }

  stop(): void {
    this.running = false;
    clearTimeout(this.timer);
    for (const question of this.questions) question.abort();
    this.questions.clear();
  }

  private next(): void {
    this.timer = setTimeout(() => this.next(), this.pace).unref();
    if (this.questions.size < MOST) void this.put(this.questions.size > 0 ? PATIENCE : undefined);
  }

  private async put(patience: number | undefined): Promise<void> {
    const question = new AbortController();
    this.questions.add(question);
    const timer = patience === undefined ? undefined : setTimeout(() => question.abort(), patience).unref();
    try {
      await this.ask(question.signal);
      // A question of an earlier outage may be answered late.
      if (!this.questions.has(question)) return;
      this.stop();
      this.answered();
    } catch (error) {
      if (!this.questions.has(question)) return;
      this.unanswered();
      this.pace = isRefusedForGood(error) ? Math.min(this.pace * 2, SLOWEST) : PACE;
    } finally {
      clearTimeout(timer);
      this.questions.delete(question);
    }
  }
}

function isRefusedForGood(error: unknown): boolean {
  return Number((error as { responseCode?: unknown } | null)?.responseCode) >= 500;
}
