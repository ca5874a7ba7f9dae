import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { type CarriedTrace, carriedTrace } from '../../shared/tracing/tracing.js';
import { Batcher } from '../../shared/work/batcher.js';
import { inTime } from '../../shared/work/in-time.js';
import type { ByLane } from '../states/email-priorities.js';
import { awaitPostgres } from './await-postgres.js';
import { cutConnections } from './cut-connections.js';
import { JobTurns, priorityOf } from './job-turns.js';
import { queueAt } from './shards.js';

/** An email for which a job wakes a worker. */
export interface Woken {
  emailId: string;
  /** The trace of its acceptance or last attempt; absent without tracing. */
  trace?: CarriedTrace;
}

/** Emails of one job. */
export type Group = readonly [Woken, ...Woken[]];

/** Data of a job. It never has content. */
export interface DeliveryJob extends Woken {
  /** Emails after the first. A worker of an older release ignores them; the sweep then gives them jobs of their own. */
  more?: readonly Woken[];
}

/** A wake-up for a worker: look at this email in `delay` milliseconds. */
export interface WakeUp {
  emailId: string;
  /** Selects the queue. */
  accountId: string;
  /**
   * Number of earlier leases. One lease of an email has at most one wake-up for later and one for now, even if they are
   * added repeatedly. So a wake-up that a wrong clock delayed too long does not prevent the sweep's.
   */
  fence: number;
  delay: number;
  /**
   * True if a wake-up for now may share a job with others: the email's first one, or one of many at once. It may then have
   * several. Default: false.
   */
  mayShare?: boolean;
  /** True if the email is in the lane `bulk`. Default: false. */
  isBulk?: boolean;
  /** Cost of the email for the turns of its account. Default: 1. */
  cost?: number;
}

/** A wake-up for later that is not needed any more. */
export type ObsoleteWakeUp = Pick<WakeUp, 'emailId' | 'accountId' | 'fence' | 'isBulk'>;

interface JobOrder extends Woken {
  /** Undefined if it may share a job with others. */
  jobId: string | undefined;
  delay: number;
  /** Undefined: it is served before all that take turns. */
  accountId: string | undefined;
  cost: number;
}

/** An order and its turn in the queue. */
interface Turned {
  order: JobOrder;
  turn: number;
}

type Order = JobOrder | { obsolete: string };

const NO_WAIT: ByLane = { now: 0, bulk: 0 };

/** Limit of orders while the queue does not accept them. Further ones are dropped; the sweep adds them again. */
const MAX_WAITING = 10_000;
/** Milliseconds, except `maxSize`. A bulk of jobs costs little more than one, and no caller waits for it. */
const RUNS = { maxSize: 500, pace: 10 };
/**
 * Limit of emails per job: such a job costs the queue hardly more than one with a single email, and many workers still
 * get their share.
 */
const MAX_SHARING = 25;
/** Time limit for a queue to return its first job. Milliseconds. */
const ANSWER_PATIENCE = 1_000;
/** Number of jobs at an end of a queue that are looked at: workers may take the first of them meanwhile. */
const END = 8;
/** The same of jobs that take turns. Among the first of them are the oldest ones of accounts with many. */
const FRONT = 32;

/**
 * Adds wake-ups for due emails to the queues. A wake-up may be lost without harm: PostgreSQL knows which emails are
 * pending, and the sweep finds them. So adding one never fails and never delays its caller.
 */
@Injectable()
export class DeliveryQueue implements OnModuleInit {
  private readonly logger = new Logger(DeliveryQueue.name);
  /** One per queue, so that a queue that does not answer does not delay the others. */
  private readonly batchers: readonly Batcher<Order, Order>[];
  private failing = false;
  private readonly shards: number;
  /** The question in progress. While a queue is away, no second one is asked. */
  private waits: Promise<number[]> | undefined;

  /**
   * @param queues in the order of `queueNames`
   * @param weightOf see `FairTurns`
   */
  constructor(
    private readonly queues: readonly Queue<DeliveryJob>[],
    weightOf?: (accountId: string) => number,
  ) {
    this.shards = queues.length / 2;
    this.batchers = queues.map((queue) => {
      const turns = new JobTurns(queue, weightOf);
      return new Batcher((orders) => this.execute(queue, turns, orders), RUNS);
    });
    for (const queue of queues) queue.on('error', () => this.reportFailure());
  }

  async onModuleInit(): Promise<void> {
    await Promise.all(this.queues.map(awaitPostgres));
  }

  wake({ emailId, accountId, fence, delay, mayShare = false, isBulk = false, cost = 1 }: WakeUp): void {
    const isLater = delay > 0;
    const jobId = mayShare && !isLater ? undefined : idOf({ emailId, fence }, isLater ? 'later' : 'now');
    this.submit(accountId, isBulk, { ...orderOf(emailId, jobId, delay), accountId, cost });
  }

  /** Wakes an email whose wake-up came `delay` milliseconds too early, from any queue of its lane. */
  wakeAgain(emailId: string, delay: number, isBulk: boolean): void {
    // The job that came too early may still exist under the other ids.
    this.submit(emailId, isBulk, orderOf(emailId, `${emailId}-again`, delay));
  }

  /**
   * Removes a lease's wake-up for later, if it exists: emails that are rescheduled or canceled a thousand times would
   * fill the queue until their times have come. A remaining one does no harm.
   */
  forget({ emailId, accountId, fence, isBulk = false }: ObsoleteWakeUp): void {
    this.submit(accountId, isBulk, { obsolete: idOf({ emailId, fence }, 'later') });
  }

  /** @param sharding value that selects the queue of the lane */
  private submit(sharding: string, isBulk: boolean, order: Order): void {
    const batcher = this.batchers[queueAt(sharding, isBulk, this.shards)];
    if (!batcher || batcher.size >= MAX_WAITING) return;
    batcher.add(order).then(
      () => this.reportSuccess(),
      () => this.reportFailure(),
    );
  }

  /** Jobs by state, of all queues. One job may stand for many emails. */
  async count(): Promise<Record<string, number>> {
    const states = ['waiting', 'prioritized', 'delayed', 'active'] as const;
    const counts = await Promise.all(this.queues.map((queue) => queue.getJobCounts(...states)));
    const sum = (state: string) => counts.reduce((total, count) => total + (count[state] ?? 0), 0);
    return { waiting: sum('waiting') + sum('prioritized'), delayed: sum('delayed'), active: sum('active') };
  }

  /**
   * Approximate time that the first job of each lane has waited, in milliseconds; 0 when none waits. With several shards the
   * shortest. While a queue does not answer at once it is 0.
   */
  async longestWait(): Promise<ByLane> {
    this.waits ??= Promise.all(this.queues.map(waitOf)).finally(() => {
      this.waits = undefined;
    });
    const waits = this.waits.then(
      (all) => ({ now: Math.min(...all.slice(0, this.shards)), bulk: Math.min(...all.slice(this.shards)) }),
      () => NO_WAIT,
    );
    return inTime(waits, ANSWER_PATIENCE, () => NO_WAIT);
  }

  /** Cuts the connections to queues that do not answer, so that the application can shut down. */
  cut(): void {
    this.queues.forEach(cutConnections);
  }

  /** Adds new wake-ups before it removes old ones. */
  private async execute(queue: Queue<DeliveryJob>, turns: JobTurns, orders: Order[]): Promise<Order[]> {
    const gifts = orders.filter((order) => 'emailId' in order);
    if (gifts.length > 0) {
      if (turns.isOld) await turns.look();
      await queue.addBulk(jobsOf(gifts.map((order) => ({ order, turn: turnOf(order, turns) }))));
    }
    await Promise.all(orders.flatMap((order) => ('obsolete' in order ? [queue.remove(order.obsolete)] : [])));
    return orders;
  }

  private reportFailure(): void {
    if (this.failing) return;
    this.failing = true;
    this.logger.warn('The queue cannot be reached. Emails are accepted and will be delivered when it is back.');
  }

  private reportSuccess(): void {
    if (!this.failing) return;
    this.failing = false;
    this.logger.log('The queue is back.');
  }
}

/** The emails that a job names. */
export function emailsOf({ more = [], ...first }: DeliveryJob): Group {
  return [first, ...more];
}

/** Data of a job that names these emails. */
export function dataOf([first, ...more]: Group): DeliveryJob {
  return more.length === 0 ? first : { ...first, more };
}

/** Looks at both ends of the queue: in PostgreSQL, BullMQ counts from the last job. */
async function waitOf(queue: Queue<DeliveryJob>): Promise<number> {
  const [count, turned] = await Promise.all([queue.getWaitingCount(), queue.getPrioritized(0, FRONT - 1)]);
  if (count === 0 && turned.length === 0) return 0;
  const ends = await Promise.all([queue.getWaiting(0, END - 1), queue.getWaiting(Math.max(count - END, 0), count - 1)]);
  // BullMQ 5 returns nothing for a job that was taken meanwhile.
  const times = [...ends, turned]
    .flat()
    .filter(Boolean)
    .map(({ timestamp, opts }) => timestamp + (opts.delay ?? 0));
  return times.length === 0 ? 0 : Math.max(Date.now() - Math.min(...times), 0);
}

function idOf({ emailId, fence }: Pick<WakeUp, 'emailId' | 'fence'>, time: 'later' | 'now'): string {
  return `${emailId}-${fence}-${time}`;
}

function orderOf(emailId: string, jobId: string | undefined, delay: number): JobOrder {
  const trace = carriedTrace();
  const order = { emailId, jobId, delay, accountId: undefined, cost: 1 };
  return trace ? { ...order, trace } : order;
}

function turnOf({ accountId, cost, delay }: JobOrder, turns: JobTurns): number {
  return accountId === undefined ? 0 : turns.take({ accountId, cost, delay });
}

function wokenOf({ emailId, trace }: Woken): Woken {
  return trace ? { emailId, trace } : { emailId };
}

/** Emails that share a job have turns of which none is much later than another. */
function jobsOf(turned: readonly Turned[]) {
  const sharing = turned.filter(({ order }) => order.jobId === undefined).sort((a, b) => a.turn - b.turn);
  const alone = turned.flatMap(({ order, turn }) =>
    order.jobId === undefined ? [] : [jobOf(order.jobId, Math.ceil(order.delay), [wokenOf(order)], turn)],
  );
  return [...evenGroups(sharing).flatMap(near).map(sharedJob), ...alone];
}

/** All emails of a job are served at the turn of the first: costly ones have jobs of their own. */
function near(group: readonly [Turned, ...Turned[]]): [Turned, ...Turned[]][] {
  const groups: [Turned, ...Turned[]][] = [];
  for (const one of group) {
    const last = groups.at(-1);
    if (last && one.turn < last[0].turn + MAX_SHARING) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function sharedJob([first, ...more]: readonly [Turned, ...Turned[]]) {
  const emails: Group = [wokenOf(first.order), ...more.map(({ order }) => wokenOf(order))];
  return jobOf(nameOf(emails), 0, emails, first.turn);
}

function nameOf([{ emailId }, ...more]: Group): string {
  return `${emailId}-and-${more.length}-more`;
}

function jobOf(jobId: string, delay: number, emails: Group, turn: number) {
  const priority = priorityOf(turn);
  const opts = {
    jobId,
    delay,
    removeOnComplete: true,
    removeOnFail: true,
    ...(priority !== undefined && { priority }),
  };
  return { name: 'deliver', data: dataOf(emails), opts };
}

/** Splits into as few groups as possible, of similar size. */
function evenGroups<T>(emails: readonly T[]): [T, ...T[]][] {
  const size = Math.ceil(emails.length / Math.ceil(emails.length / MAX_SHARING));
  const groups: [T, ...T[]][] = [];
  for (let at = 0; at < emails.length; at += size) {
    const [first, ...more] = emails.slice(at, at + size);
    if (first) groups.push([first, ...more]);
  }
  return groups;
}
