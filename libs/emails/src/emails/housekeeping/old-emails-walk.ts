import { FIRST_PLACE, type Step, type Stretch } from '../storage/keep/housekeeping.repository.js';

/** Looks at one stretch of emails and cleans them up where allowed. Undefined: there are none. */
export type CleanUp = (stretch: Stretch) => Promise<Step | undefined>;

/** Emails per step; each may have many rows elsewhere. */
export const STEP = 100;
/** Limit of remembered emails, at less than 100 bytes each. */
const MAX_LEFT = 100_000;

/**
 * Walks through old emails in rounds, one step at a time. Each round continues where the last one ended. Emails that
 * had to stay are asked for by id in the next round, so that they cost no more than themselves; only those beyond the
 * walk's memory are walked over again.
 */
export class OldEmailsWalk {
  private place = FIRST_PLACE;
  /** Left in the last round and not looked at again yet, and left in this one. */
  private again: string[] = [];
  private left: string[] = [];
  /** Where the next round must begin if this one left too many. */
  private back: string | undefined;

  constructor(
    private readonly from: 'past' | 'ahead',
    private readonly cleanUp: CleanUp,
    private readonly maxLeft = MAX_LEFT,
  ) {}

  /** Resolves with false when the round is over. A failed step is repeated. */
  async step(): Promise<boolean> {
    if (this.again.length > 0) return this.lookAgain();
    const { place } = this;
    const step = await this.cleanUp({ from: this.from, after: place });
    if (!step) return this.endRound();
    this.leave(step.unfinished, place);
    this.place = step.last;
    return true;
  }

  private async lookAgain(): Promise<true> {
    const ids = this.again.slice(-STEP);
    const step = await this.cleanUp({ ids });
    this.again.length -= ids.length;
    // The emails of the step had room before, so they have room again.
    this.left.push(...(step?.unfinished ?? []));
    return true;
  }

  private leave(ids: readonly string[], place: string): void {
    if (this.back !== undefined || this.left.length + ids.length > this.maxLeft) this.back ??= place;
    else this.left.push(...ids);
  }

  private endRound(): false {
    this.again = this.left;
    this.left = [];
    this.place = this.back ?? this.place;
    this.back = undefined;
    return false;
  }
}
