import { FIRST_PLACE, type Step, type Stretch } from '../storage/housekeeping.repository.js';

/** Looks at one stretch of emails and cleans up what it may. Undefined: there are none. */
export type CleanUp = (stretch: Stretch) => Promise<Step | undefined>;

/** Emails looked at a time; each may have many rows elsewhere. */
export const STEP = 100;
/** Emails remembered at most, by less than 100 bytes each. */
const MAX_LEFT = 100_000;

/**
 * Walks through old emails in rounds, a step at a time. Each round goes on from where the last one ended. What had to be
 * left is asked for by name in the next round, so that it costs no more than itself; only what is more than can be
 * remembered is walked over again.
 */
export class OldEmailsWalk {
  private place = FIRST_PLACE;
  /** Left in the last round and not looked at again yet, and left in this one. */
  private again: string[] = [];
  private left: string[] = [];
  /** Where the next round has to begin, when this one left too much. */
  private back: string | undefined;

  constructor(
    private readonly from: 'past' | 'ahead',
    private readonly cleanUp: CleanUp,
    private readonly maxLeft = MAX_LEFT,
  ) {}

  /** Resolves with false when the round is over. A step that fails is taken again. */
  async step(): Promise<boolean> {
    if (this.again.length > 0) return this.lookAgain();
    const { place } = this;
    const taken = await this.cleanUp({ from: this.from, after: place });
    if (!taken) return this.endRound();
    this.leave(taken.unfinished, place);
    this.place = taken.last;
    return true;
  }

  private async lookAgain(): Promise<true> {
    const ids = this.again.slice(-STEP);
    const taken = await this.cleanUp({ ids });
    this.again.length -= ids.length;
    // There is room for what there was room for before.
    this.left.push(...(taken?.unfinished ?? []));
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
