/** Time from the beginning of one question to the next. Milliseconds. */
const PACE = 1_000;
/** Longest pause, after refusals: a wrong password every second would lock an account. Milliseconds. */
const SLOWEST = 30_000;
/** Time limit for further questions; the first waits as long as the transport does. Milliseconds. */
const PATIENCE = 5_000;
/** Limit of open questions, including those that the transport does not abort. */
const MAX_QUESTIONS = 6;

/**
 * Asks a hop that is down once a second whether it is back. The system repeats packets to an unresponsive host at
 * growing intervals, so a new question notices its return first; a hop that is slow to greet answers a question that
 * waits. So one question waits as long as it takes, the others for a limited time.
 */
export class HopProbe {
  private readonly questions = new Set<AbortController>();
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private pace = PACE;

  /**
   * @param ask rejects when there was no answer; aborted by the signal
   * @param answered called once; no further question is asked then
   * @param unanswered called for each question without an answer, with the error; undefined for one that was given up
   */
  constructor(
    private readonly ask: (signal: AbortSignal) => Promise<void>,
    private readonly answered: () => void,
    private readonly unanswered: (error: unknown) => void,
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
    if (this.questions.size < MAX_QUESTIONS) void this.put(this.questions.size > 0 ? PATIENCE : undefined);
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
      this.unanswered(question.signal.aborted ? undefined : error);
      this.pace = isRefused(error) ? Math.min(this.pace * 2, SLOWEST) : PACE;
    } finally {
      clearTimeout(timer);
      this.questions.delete(question);
    }
  }
}

/** Whether it is refused permanently, or its login for any reason (`EAUTH`), a missing token included. */
function isRefused(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown };
  return code === 'EAUTH' || Number(responseCode) >= 500;
}
