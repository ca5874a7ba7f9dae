/** Time until the first that is put off comes back, and from one to the next. Milliseconds. */
const FIRST = 2_000;
const NEXT = 20;

/**
 * Limits the emails that wait in this process for an account's own transport, so that a slow one does not take the places of
 * other mail. The others are put off, and come back one after the other.
 */
export class WaitingLine {
  private size = 0;
  private end = Number.NEGATIVE_INFINITY;

  /** @param most emails that wait or are sent at the same time */
  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** 0 if the email may wait here, and then `leave` follows; else the delay in milliseconds before its next try. */
  enter(): number {
    if (this.size < this.most) {
      this.size++;
      return 0;
    }
    this.end = Math.max(this.now() + FIRST, this.end + NEXT);
    return this.end - this.now();
  }

  leave(): void {
    this.size--;
  }
}
