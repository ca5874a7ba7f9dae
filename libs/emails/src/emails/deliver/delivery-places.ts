import { TurnLine } from '../../shared/work/turn-line.js';
import { JobWaits } from './job-waits.js';

/** Places that the lane `now` gets before `bulk` gets one, while both wait. */
const BEFORE_BULK = 7;

/** Share of the places that are in use when they are short. */
const SHORT = 3 / 4;

/** The emails of a job that wait for places. */
export interface JobLine {
  count: number;
  isBulk: boolean;
  /** The lowest is first within the lane; among equal ones, in order of arrival. */
  turn: number;
  /** Time limit for the next of them. Milliseconds. */
  patience: number;
  /** From then on the next of them is the last. Milliseconds. Default: never. */
  limit?: number;
  /** Called as each gets a place, in their order. `release` follows. */
  begin: (at: number) => void;
}

interface Waiter extends JobLine {
  begun: number;
  isLast(): boolean;
  end(): void;
}

/** Places for the emails that a process works on at the same time. Both lanes share them. */
export class DeliveryPlaces {
  /** Of the jobs of both lanes. */
  readonly waits = new JobWaits();
  private used = 0;
  private isClosed = false;
  private readonly now = new TurnLine<Waiter>();
  private readonly bulk = new TurnLine<Waiter>();
  /** Places that `now` got since `bulk` waits and got none. */
  private sinceBulk = 0;

  constructor(private readonly most: number) {}

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
      const over = performance.now() + (job.limit ?? Number.POSITIVE_INFINITY);
      const timer = setTimeout(() => waiter.end(), job.patience);
      const waiter: Waiter = {
        ...job,
        begun: 0,
        begin: (at) => {
          timer.refresh();
          job.begin(at);
        },
        isLast: () => waiter.begun === job.count || performance.now() >= over,
        end: () => {
          clearTimeout(timer);
          line.delete(waiter, job.turn);
          resolve(waiter.begun);
        },
      };
      line.add(waiter, job.turn);
      this.admit();
    });
  }

  release(): void {
    this.used--;
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
    const isForBulk = bulk && (!now || this.sinceBulk >= BEFORE_BULK);
    this.sinceBulk = isForBulk || !bulk ? 0 : this.sinceBulk + 1;
    return isForBulk ? bulk : now;
  }

  private lineOf({ isBulk }: JobLine): TurnLine<Waiter> {
    return isBulk ? this.bulk : this.now;
  }
}
