/** What proxies answer when there is nobody behind them. */
const AWAY_STATES: readonly number[] = [502, 503, 504];

/** A refusal, in the server's words. `status` is 0 when no answer came. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    override readonly name: string,
    message: string,
    /** Seconds to wait before asking again, where the server said so. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  /** Whether the server said nothing: no answer came, or that of a proxy before it. */
  get isSilence(): boolean {
    return this.status === 0 || (this.name === 'unknown' && AWAY_STATES.includes(this.status));
  }
}
