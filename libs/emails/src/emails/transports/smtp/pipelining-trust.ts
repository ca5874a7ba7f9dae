/** Limit of consecutive failures of pipelined envelopes. */
const MAX_CONSECUTIVE = 3;
/** Limit of failures with successes in between, each of which makes up for a part of a failure. */
const MAX_FAILURES = 5;
const SUCCESS_WEIGHT = 1 / 30;
/** Time without pipelining across messages after the limit. Milliseconds. */
const PAUSE = 60_000;

/**
 * Decides whether an envelope may be sent right after the final dot of the message before. A server that then closes
 * its connections, forgets commands or mixes up its replies is treated as if it did not offer pipelining, and tried
 * again later. So is a server that fails more than one of thirty such envelopes.
 */
export class PipeliningTrust {
  private consecutive = 0;
  private failures = 0;
  private pausedUntil = Number.NEGATIVE_INFINITY;

  get isTrusted(): boolean {
    return this.pausedUntil === Number.NEGATIVE_INFINITY || performance.now() >= this.pausedUntil;
  }

  /** A pipelined envelope was answered. */
  succeeded(): void {
    this.consecutive = 0;
    this.failures = Math.max(0, this.failures - SUCCESS_WEIGHT);
  }

  /** The connection ended before the answer. @param isSure whether pipelining is certainly the cause */
  failed(isSure: boolean): void {
    this.consecutive += 1;
    this.failures += 1;
    if (!isSure && this.consecutive < MAX_CONSECUTIVE && this.failures < MAX_FAILURES) return;
    this.consecutive = 0;
    this.failures = 0;
    this.pausedUntil = performance.now() + PAUSE;
  }
}
