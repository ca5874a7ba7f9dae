/** So many times in a row an envelope sent ahead may come to nothing before none is. */
const MOST = 3;
/** For how long none is sent ahead then. Milliseconds. */
const PAUSE = 60_000;

/**
 * Whether a server copes with an envelope right behind a final dot. One that closes its connections, forgets what has come
 * or mixes up its replies then is talked to as if it had not offered that, and tried again later.
 */
export class AheadTrust {
  private failures = 0;
  private pausedUntil = Number.NEGATIVE_INFINITY;

  get isGiven(): boolean {
    return this.pausedUntil === Number.NEGATIVE_INFINITY || performance.now() >= this.pausedUntil;
  }

  /** An envelope sent ahead was answered. */
  kept(): void {
    this.failures = 0;
  }

  /** The connection ended first. @param isSure whether that is because the server does not cope, and for no other reason */
  broken(isSure: boolean): void {
    this.failures += 1;
    if (!isSure && this.failures < MOST) return;
    this.failures = 0;
    this.pausedUntil = performance.now() + PAUSE;
  }
}
