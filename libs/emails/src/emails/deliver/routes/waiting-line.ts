import { RecentCount } from '../../../shared/work/recent-count.js';

/** Time until the first that is put off comes back, and at most from one to the next. Milliseconds. */
const FIRST = 2_000;
const NEXT = 20;
/** While all emails of a line are served within this time, it may have more places than its share. Milliseconds. */
const QUICK = 2_000;
/** Time over which served emails are counted. Milliseconds. */
const SPAN = 1_000;

/** Places for the emails of several lines together. */
export class LinePlaces {
  used = 0;

  constructor(readonly most: number) {}

  get free(): number {
    return this.most - this.used;
  }
}

/** A place in a line, or the delay in milliseconds before the next try if there is none. */
export interface LinePlace {
  wait: number;
  /** True if it is beyond the line's share: the email should not wait for long. */
  isExtra: boolean;
}

/**
 * Limits the emails that wait in this process for one of its transports, so that a slow one does not take the places of other
 * mail. The others are put off, and come back one after the other, as quickly as emails are served.
 */
export class WaitingLine {
  private size = 0;
  private end = Number.NEGATIVE_INFINITY;
  private readonly served: RecentCount;

  /**
   * @param share emails that wait or are sent at the same time, as of now
   * @param places of several lines. A quick line may have half more. Default: no limit
   */
  constructor(
    private readonly share: () => number,
    private readonly places = new LinePlaces(Number.POSITIVE_INFINITY),
    private readonly now: () => number = () => performance.now(),
  ) {
    this.served = new RecentCount(SPAN, now);
  }

  /** `leave` follows, unless the email must wait elsewhere. */
  enter(): LinePlace {
    const { size, places } = this;
    const isExtra = places.free <= 0 || size >= this.share();
    if (isExtra && !this.mayHaveMore) return { wait: this.putOff(), isExtra };
    this.size++;
    places.used++;
    return { wait: 0, isExtra };
  }

  /** @param isServed whether the transport got the email */
  leave(isServed: boolean): void {
    this.size--;
    this.places.used--;
    if (isServed) this.served.add();
  }

  private get mayHaveMore(): boolean {
    const { size, places } = this;
    return size < (this.served.most * QUICK) / SPAN && places.used < 1.5 * places.most;
  }

  private putOff(): number {
    this.end = Math.max(this.now() + FIRST, this.end + Math.min(NEXT, SPAN / this.served.most));
    return this.end - this.now();
  }
}
