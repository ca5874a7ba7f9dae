import type { Queue } from 'bullmq';
import { FairTurns } from '../../shared/work/fair-turns.js';

/** The largest priority that BullMQ knows; 0 is served first. */
const LAST = 2_097_151;
/** Turns that share a priority, so that millions of emails may wait before the last one is reached. */
const PER_PRIORITY = 16;
/** From here on numbers begin again at 0: later jobs then go before those that still wait. */
const RESTART = (LAST * PER_PRIORITY) / 2;
/** Interval between two looks at the front of the queue while accounts have turns to come. Milliseconds. */
const LOOK_INTERVAL = 100;
/** An account whose next turn is hardly behind the front has few emails that wait. */
const FEW = 4 * PER_PRIORITY;
/** Limit of the jobs in hand that are looked at. */
const IN_HAND = 16;
/** Emails that are due within one such interval take turns among themselves. Milliseconds. */
const SPAN = 60_000;
/** Limit of remembered spans. Emails of a forgotten one begin at the first turn again. */
const MAX_SPANS = 1_000;

/** A job that may be added to a queue. */
export interface Due {
  accountId: string;
  cost: number;
  /** Milliseconds from now. */
  delay: number;
}

/**
 * The turns of the jobs of one queue. Every process numbers its own jobs; the front of the queue, which all can see, says
 * where workers are. A job for later gets a turn among those of its minute.
 */
export class JobTurns {
  private readonly turns: FairTurns;
  private readonly spans = new Map<number, FairTurns>();
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** As found by the last look. */
  private front = 0;

  /** @param weightOf see `FairTurns` */
  constructor(
    private readonly queue: Pick<Queue, 'getWaiting' | 'getPrioritized' | 'getActive'>,
    private readonly weightOf?: (accountId: string) => number,
    private readonly now: () => number = Date.now,
  ) {
    this.turns = new FairTurns(weightOf);
  }

  /** True if `look` should be called before jobs are added. */
  get isOld(): boolean {
    return !this.turns.isEmpty && this.now() - this.lookedAt >= LOOK_INTERVAL;
  }

  /** Finds the front of the queue. Rejects when the queue is away. */
  async look(): Promise<void> {
    // While places are short, workers have the first jobs in hand most of the time, and return the rest of them.
    const found = await Promise.all([
      this.queue.getWaiting(0, 0),
      this.queue.getPrioritized(0, 0),
      this.queue.getActive(0, IN_HAND - 1),
    ]);
    this.lookedAt = this.now();
    // BullMQ 5 returns nothing for a job that ended meanwhile. One without a priority is before all turns, and no front of them.
    const priorities = found.flat().flatMap((job) => (job ? [job.opts.priority ?? 0] : []));
    const turned = priorities.filter((priority) => priority > 0);
    const priority = Math.min(...(turned.length > 0 ? turned : priorities));
    if (priority * PER_PRIORITY >= RESTART) {
      this.front = 0;
      this.turns.clear();
      return;
    }
    // One that comes now is next, not behind those of the front's priority.
    const front = Math.max(0, priority - 1) * PER_PRIORITY;
    // Mail of another process, or for this minute, may go back to lower turns. Accounts that hardly wait go back with it.
    if (front < this.front) this.turns.forgetServed(FEW);
    this.front = front;
    this.turns.serve(front);
    this.turns.forgetServed();
  }

  /** The turn of a job: see `priorityOf`. */
  take({ accountId, cost, delay }: Due): number {
    const flow = { accountId, isBulk: false };
    return delay > 0 ? this.spanAt(this.now() + delay).take(flow, cost) : this.turns.take(flow, cost);
  }

  private spanAt(time: number): FairTurns {
    const key = Math.floor(time / SPAN);
    const known = this.spans.get(key);
    if (known) return known;
    const current = Math.floor(this.now() / SPAN);
    for (const past of this.spans.keys()) if (past < current || this.spans.size >= MAX_SPANS) this.spans.delete(past);
    const turns = new FairTurns(this.weightOf);
    this.spans.set(key, turns);
    return turns;
  }
}

/** BullMQ's priority for a turn. Undefined: the job is served before all that have one. */
export function priorityOf(turn: number): number | undefined {
  const priority = Math.min(Math.floor(turn / PER_PRIORITY), LAST);
  return priority > 0 ? priority : undefined;
}
