/** So many times in a row an envelope sent ahead may come to nothing before none is. */
const MOST_IN_A_ROW = 3;
/** The same with others in between, each of which makes up for a part of one that came to nothing. */
const MOST = 5;
const KEPT_WEIGHT = 1 / 30;
/** For how long none is sent ahead then. Milliseconds. */
const PAUSE = 60_000;

/**
 * Whether a server copes with an envelope right behind a final dot. One that closes its connections, forgets what has come
 * or mixes up its replies then is talked to as if it had not offered that, and tried again later. So is one with which more
 * than one envelope of thirty comes to nothing.
 */
export class AheadTrust {
  private inARow = 0;
  private failures = 0;
  private pausedUntil = Number.NEGATIVE_INFINITY;

  get isGiven(): boolean {
    return this.pausedUntil === Number.NEGATIVE_INFINITY || performance.now() >= this.pausedUntil;
  }

  /** An envelope sent ahead was answered. */
  kept(): void {
    this.inARow = 0;
    this.failures = Math.max(0, this.failures - KEPT_WEIGHT);
  }

  /** The connection ended first. @param isSure whether that is because the server does not cope, and for no other reason */
  broken(isSure: boolean): void {
    this.inARow += 1;
    this.failures += 1;
    if (!isSure && this.inARow < MOST_IN_A_ROW && this.failures < MOST) return;
    this.inARow = 0;
    this.failures = 0;
    this.pausedUntil = performance.now() + PAUSE;
  }
}
