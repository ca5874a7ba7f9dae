import { BULK_PRICE } from '../../shared/work/fair-turns.js';
import { RecentCount } from '../../shared/work/recent-count.js';
import { TurnLine } from '../../shared/work/turn-line.js';
import { JobWaits } from './job-waits.js';

/** Limits of what is counted: places of `now` for which `bulk` has had none, or the price of those that it had before its turn. */
const LEAST_SAVED = -10 * BULK_PRICE;
const MOST_SAVED = 2 * BULK_PRICE;
/** How long a lane counts as waiting after it last did: between two jobs it has none in hand. Milliseconds. */
const PRESENT = 1_000;
/** Within which places are counted that came of late. Milliseconds. */
const SPAN = 1_000;
/** Share of the places that are in use when they are short. */
const SHORT = 3 / 4;

/** The emails of a job that wait for places. */
export interface JobLine {
  count: number;
  isBulk: boolean;
  /** The lowest is first within the lane; among equal ones, in order of arrival. */
  turn: number;
  /** Time limit for the next of them, while the job is the first in its lane. Milliseconds. */
  patience: number;
  /** From then on the next of them is the last: since the job became the first. Milliseconds. */
  limit: number;
  /** Called as each gets a place, in their order. `release` follows. */
  begin: (at: number) => void;
}

interface Waiter extends JobLine {
  begun: number;
  /** It is the first in its lane from now on. */
  lead(): void;
  isLast(): boolean;
  end(): void;
}

/** Places for the emails that a process works on at the same time. Both lanes share them. */
export class DeliveryPlaces {
  /** The waits of the jobs of both lanes. */
  readonly waits = new JobWaits();
  private used = 0;
  private readonly released: RecentCount;
  private isClosed = false;
  private readonly now = new TurnLine<Waiter>();
  private readonly bulk = new TurnLine<Waiter>();
  /** When each lane last waited. */
  private nowAt = Number.NEGATIVE_INFINITY;
  private bulkAt = Number.NEGATIVE_INFINITY;
  /** See `LEAST_SAVED`. */
  private saved = 0;

  constructor(
    private readonly most: number,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.released = new RecentCount(SPAN, clock);
  }

  /** Mean time from one place to the next, of late. Milliseconds. Infinity: none has come. */
  get interval(): number {
    return SPAN / this.released.most;
  }

  /** True if hardly any place is free. */
  get areShort(): boolean {
    return this.used > this.most * SHORT;
  }

  private get isFull(): boolean {
    return this.used >= this.most;
  }

  /** Gives places to the emails of a job. Resolves with the number that have begun when it is all, in time, or at the close. */
  give(job: JobLine): Promise<number> {
    if (this.isClosed) return Promise.resolve(0);
    return new Promise((resolve) => {
      const line = this.lineOf(job);
      let over = Number.POSITIVE_INFINITY;
      const timer = setTimeout(() => (line.first === waiter ? waiter.end() : timer.refresh()), job.patience);
      const waiter: Waiter = {
        ...job,
        begun: 0,
        begin: (at) => {
          timer.refresh();
          job.begin(at);
        },
        lead: () => {
          timer.refresh();
          over = Math.min(over, performance.now() + job.limit);
        },
        isLast: () => waiter.begun === job.count || performance.now() >= over,
        end: () => {
          clearTimeout(timer);
          line.delete(waiter, job.turn);
          line.first?.lead();
          resolve(waiter.begun);
        },
      };
      line.add(waiter, job.turn);
      if (line.first === waiter) waiter.lead();
      this.admit();
    });
  }

  release(): void {
    this.used--;
    this.released.add();
    this.admit();
  }

  /** Ends all waits, also later ones. */
  close(): void {
    this.isClosed = true;
    for (const waiter of [...this.now, ...this.bulk]) waiter.end();
  }

  private admit(): void {
    while (!this.isFull) {
      const waiter = this.next();
      if (!waiter) return;
      this.used++;
      waiter.begin(waiter.begun++);
      if (waiter.isLast()) waiter.end();
    }
  }

  private next(): Waiter | undefined {
    const now = this.now.first;
    const bulk = this.bulk.first;
    const time = this.clock();
    if (now) this.nowAt = time;
    if (bulk) this.bulkAt = time;
    const next = bulk && (!now || this.saved >= BULK_PRICE) ? bulk : now;
    if (next) this.count(next, time);
    return next;
  }

  /** A lane that waits alone pays nothing, and saves nothing. */
  private count({ isBulk }: Waiter, time: number): void {
    const isAlone = time - (isBulk ? this.nowAt : this.bulkAt) > PRESENT;
    const saved = this.saved + (isBulk ? -BULK_PRICE : 1);
    this.saved = isAlone ? 0 : Math.min(Math.max(saved, LEAST_SAVED), MOST_SAVED);
  }

  private lineOf({ isBulk }: JobLine): TurnLine<Waiter> {
    return isBulk ? this.bulk : this.now;
  }
}
