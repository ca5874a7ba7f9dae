import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { type CarriedTrace, carriedTrace } from '../../shared/tracing/tracing.js';
import { Batcher } from '../../shared/work/batcher.js';
import { inTime } from '../../shared/work/in-time.js';
import { awaitPostgres } from './await-postgres.js';
import { cutConnections } from './cut-connections.js';
import { shardOf } from './shards.js';

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
  /** True if it is the email's first wake-up. A first one for now shares a job with others. Default: false. */
  isFirst?: boolean;
  /** True if the email is in the lane `bulk`. Default: false. */
  isBulk?: boolean;
  /** Cost of the email for the turns of its account. Default: 1. */
  cost?: number;
}

/** A wake-up for later that is not needed any more. */
export type ObsoleteWakeUp = Pick<WakeUp, 'emailId' | 'accountId' | 'fence'>;

interface JobOrder extends Woken {
  /** Undefined if it may share a job with others. */
  jobId: string | undefined;
  delay: number;
}

type Order = JobOrder | { obsolete: string };

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
/** Number of jobs at the end of a queue that are looked at: workers may take the first of them meanwhile. */
const END = 8;

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
  /** The question in progress. While a queue is away, no second one is asked. */
  private waits: Promise<number[]> | undefined;

  /** @param queues one per shard, in the order of `queueNames` */
  constructor(private readonly queues: readonly Queue<DeliveryJob>[]) {
    this.batchers = queues.map((queue) => new Batcher((orders) => this.execute(queue, orders), RUNS));
    for (const queue of queues) queue.on('error', () => this.reportFailure());
  }

  async onModuleInit(): Promise<void> {
    await Promise.all(this.queues.map(awaitPostgres));
  }

  wake({ emailId, accountId, fence, delay, isFirst = false }: WakeUp): void {
    const isLater = delay > 0;
    const jobId = isFirst && !isLater ? undefined : idOf({ emailId, fence }, isLater ? 'later' : 'now');
    this.submit(accountId, orderOf(emailId, jobId, delay));
  }

  /** Wakes an email whose wake-up came `delay` milliseconds too early, from any queue. */
  wakeAgain(emailId: string, delay: number): void {
    // The job that came too early may still exist under the other ids.
    this.submit(emailId, orderOf(emailId, `${emailId}-again`, delay));
  }

  /**
   * Removes a lease's wake-up for later, if it exists: emails that are rescheduled or canceled a thousand times would
   * fill the queue until their times have come. A remaining one does no harm.
   */
  forget({ emailId, accountId, fence }: ObsoleteWakeUp): void {
    this.submit(accountId, { obsolete: idOf({ emailId, fence }, 'later') });
  }

  /** @param sharding value that selects the queue */
  private submit(sharding: string, order: Order): void {
    const batcher = this.batchers[shardOf(sharding, this.batchers.length)];
    if (!batcher || batcher.size >= MAX_WAITING) return;
    batcher.add(order).then(
      () => this.reportSuccess(),
      () => this.reportFailure(),
    );
  }

  /** Jobs by state, of all queues. One job may stand for many emails. */
  async count(): Promise<Record<string, number>> {
    const counts = await Promise.all(this.queues.map((queue) => queue.getJobCounts('waiting', 'delayed', 'active')));
    const total: Record<string, number> = {};
    for (const [state, count] of counts.flatMap(Object.entries<number>)) total[state] = (total[state] ?? 0) + count;
    return total;
  }

  /**
   * Approximate time that the first job has waited, in milliseconds; 0 when none waits. With several queues the
   * shortest time; a queue that does not answer at once counts as 0.
   */
  async longestWait(): Promise<number> {
    this.waits ??= Promise.all(this.queues.map(waitOf)).finally(() => {
      this.waits = undefined;
    });
    const waits = this.waits.then(
      (all) => Math.min(...all),
      () => 0,
    );
    return inTime(waits, ANSWER_PATIENCE, () => 0);
  }

  /** Cuts the connections to queues that do not answer, so that the application can shut down. */
  cut(): void {
    this.queues.forEach(cutConnections);
  }

  /** Adds new wake-ups before it removes old ones. */
  private async execute(queue: Queue<DeliveryJob>, orders: Order[]): Promise<Order[]> {
    const gifts = orders.filter((order) => 'emailId' in order);
    if (gifts.length > 0) await queue.addBulk(jobsOf(gifts));
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
  const count = await queue.getWaitingCount();
  if (count === 0) return 0;
  const ends = await Promise.all([queue.getWaiting(0, END - 1), queue.getWaiting(Math.max(count - END, 0), count - 1)]);
  // BullMQ 5 returns nothing for a job that was taken meanwhile.
  const times = ends
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
  return trace ? { emailId, trace, jobId, delay } : { emailId, jobId, delay };
}

function wokenOf({ emailId, trace }: Woken): Woken {
  return trace ? { emailId, trace } : { emailId };
}

function jobsOf(gifts: readonly JobOrder[]) {
  const sharing = gifts.filter(({ jobId }) => jobId === undefined).map(wokenOf);
  const alone = gifts.flatMap(({ jobId, delay, ...email }) =>
    jobId === undefined ? [] : [jobOf(jobId, Math.ceil(delay), [email])],
  );
  return [...evenGroups(sharing).map((group) => jobOf(nameOf(group), 0, group)), ...alone];
}

function nameOf([{ emailId }, ...more]: Group): string {
  return `${emailId}-and-${more.length}-more`;
}

function jobOf(jobId: string, delay: number, emails: Group) {
  const opts = { jobId, delay, removeOnComplete: true, removeOnFail: true };
  return { name: 'deliver', data: dataOf(emails), opts };
}

/** Splits into as few groups as possible, of similar size. */
function evenGroups(emails: readonly Woken[]): Group[] {
  const size = Math.ceil(emails.length / Math.ceil(emails.length / MAX_SHARING));
  const groups: Group[] = [];
  for (let at = 0; at < emails.length; at += size) {
    const [first, ...more] = emails.slice(at, at + size);
    if (first) groups.push([first, ...more]);
  }
  return groups;
}
