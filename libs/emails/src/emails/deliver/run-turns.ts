import { FairTurns, type Flow } from '../../shared/work/fair-turns.js';

/** The turns of the emails that this process works on, by which they wait for places, permits and connections. */
export class RunTurns {
  private readonly turns: FairTurns;
  /** Emails in progress of each account and lane that has any. */
  private readonly inProgress = new Map<string, number>();
  private served = 0;

  /** @param weightOf see `FairTurns` */
  constructor(weightOf?: (accountId: string) => number) {
    this.turns = new FairTurns(weightOf);
  }

  /** Returns the turn of an email; `leave` follows. */
  enter(flow: Flow, cost: number): number {
    const key = keyOf(flow);
    this.inProgress.set(key, (this.inProgress.get(key) ?? 0) + 1);
    return this.turns.take(flow, cost);
  }

  /** An email with this turn has all that it waited for. */
  serve(turn: number): void {
    if (turn <= this.served) return;
    this.served = turn;
    this.turns.serve(turn);
  }

  leave(flow: Flow): void {
    const key = keyOf(flow);
    const left = (this.inProgress.get(key) ?? 1) - 1;
    if (left > 0) {
      this.inProgress.set(key, left);
      return;
    }
    this.inProgress.delete(key);
    this.turns.forget(flow);
  }
}

function keyOf({ accountId, isBulk }: Flow): string {
  return `${isBulk} ${accountId}`;
}
