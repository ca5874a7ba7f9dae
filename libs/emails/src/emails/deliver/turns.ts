/** A turn that comes within this time is near, in milliseconds: much less than an answer of the policies holds. */
const NEAR = 250;

interface Waiter {
  whenNear: (() => void) | undefined;
}

/**
 * Tells those who wait in a line when their turn is near, which is known from how many turns came lately: they come in the
 * order in which they are asked for.
 */
export class Turns {
  /** Who waits and was not told yet, in order of arrival. */
  private readonly far = new Set<Waiter>();
  /** How many wait and were told. */
  private told = 0;
  /** Turns given back since the time that `countedSince` says, and in as much time before that. */
  private given = 0;
  private givenBefore = 0;
  private countedSince = Number.NEGATIVE_INFINITY;

  constructor(private readonly now: () => number) {}

  /**
   * Runs what waits for a turn.
   *
   * @param whenNear called once when the turn is near. Never where nothing is known of when it comes, or when it comes first
   */
  async wait<T>(whenNear: (() => void) | undefined, turn: () => Promise<T>): Promise<T> {
    const waiter: Waiter = { whenNear };
    this.far.add(waiter);
    this.tell();
    try {
      return await turn();
    } finally {
      if (!this.far.delete(waiter)) this.told--;
    }
  }

  /** A turn is given back by `release`. */
  giveBack(release: () => void): void {
    this.count();
    this.given++;
    release();
    this.tell();
  }

  /** Tells as many as turns were given back in the time that is near. */
  private tell(): void {
    this.count();
    const most = Math.max(this.given, this.givenBefore);
    for (const waiter of this.far) {
      if (this.told >= most) return;
      this.far.delete(waiter);
      this.told++;
      waiter.whenNear?.();
    }
  }

  private count(): void {
    const now = this.now();
    const passed = now - this.countedSince;
    if (passed < NEAR) return;
    this.givenBefore = passed < 2 * NEAR ? this.given : 0;
    this.given = 0;
    this.countedSince = now;
  }
}
