/** While emails of the lane `now` wait, `bulk` gets one of eight turns, whatever the accounts of each. */
export const BULK_PRICE = 7;

/** The emails of one account in one lane. */
export interface Flow {
  accountId: string;
  isBulk: boolean;
}

/**
 * Gives numbers by which accounts take turns: the lowest is served first. An account's numbers grow with the cost of its
 * emails, so that the emails of one with many lie among those of all others, not before them. An account without waiting
 * emails begins at the number that is being served (start-time fair queueing: Goyal, Vin, Cheng, 1996).
 */
export class FairTurns {
  private at = 0;
  /** The next turn of each account. */
  private readonly now = new Map<string, number>();
  private readonly bulk = new Map<string, number>();

  /** @param weightOf share of an account relative to others, above 0 */
  constructor(private readonly weightOf: (accountId: string) => number = () => 1) {}

  /** True if no account has had a turn that is still to come. */
  get isEmpty(): boolean {
    return this.now.size === 0 && this.bulk.size === 0;
  }

  /** @param cost relative to other emails, above 0 */
  take(flow: Flow, cost: number): number {
    const { accountId, isBulk } = flow;
    const lane = this.laneOf(flow);
    const turn = Math.max(this.at, lane.get(accountId) ?? 0);
    // Entered first: all accounts of the lane share its turns.
    lane.set(accountId, turn);
    const price = isBulk ? (BULK_PRICE * lane.size) / Math.max(this.now.size, 1) : 1;
    lane.set(accountId, turn + (price * cost) / this.weightOf(accountId));
    return turn;
  }

  /** This turn is being served. */
  serve(turn: number): void {
    this.at = turn;
  }

  /**
   * Forgets accounts whose turns have all been served: they have as good a turn as a new one.
   *
   * @param few also those whose next turn is at most so much later. Default: 0
   */
  forgetServed(few = 0): void {
    for (const lane of [this.now, this.bulk]) {
      for (const [accountId, next] of lane) if (next <= this.at + few) lane.delete(accountId);
    }
  }

  /** The account has no waiting emails in this lane any more. */
  forget(flow: Flow): void {
    this.laneOf(flow).delete(flow.accountId);
  }

  /** Forgets all accounts: no email waits any more. */
  clear(): void {
    this.at = 0;
    this.now.clear();
    this.bulk.clear();
  }

  private laneOf({ isBulk }: Flow): Map<string, number> {
    return isBulk ? this.bulk : this.now;
  }
}
