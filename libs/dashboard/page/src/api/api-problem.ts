/** Statuses of proxies without a server behind them. */
const AWAY_STATES: readonly number[] = [502, 503, 504];

/** A refusal with the server's message. `status` is 0 when no answer came. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    override readonly name: string,
    message: string,
    /** Seconds to wait before a retry, if the server said so. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  /** Whether the server did not answer: no answer came, or only that of a proxy. */
  get isSilence(): boolean {
    return this.status === 0 || (this.name === 'unknown' && AWAY_STATES.includes(this.status));
  }
}
