import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { type CarriedTrace, carriedTrace } from '../../shared/tracing/tracing.js';
import { Batcher } from '../../shared/work/batcher.js';
import { inTime } from '../../shared/work/in-time.js';
import { awaitPostgres } from './await-postgres.js';
import { shardOf } from './shards.js';

/** An email that a job wakes a worker for. */
export interface Woken {
  emailId: string;
  /** The trace that the email was accepted in, or last tried in; absent when nothing is traced. */
  trace?: CarriedTrace;
}

/** Emails that a job names together. */
export type Group = readonly [Woken, ...Woken[]];

/** What a job carries: never content. */
export interface DeliveryJob extends Woken {
  /** Emails beyond the first. A worker of an older release does not see them; the sweep gives them jobs of their own. */
  more?: readonly Woken[];
}

/** A wake-up for a worker: "have a look at this email in `delay` milliseconds." */
export interface WakeUp {
  emailId: string;
  /** Decides which queue gets it. */
  accountId: string;
  /**
   * Leases taken so far. For one lease of an email there is at most one wake-up for later and one for now, however often
   * they are given: what a wrong clock put off for too long does not keep the sweep from asking at once.
   */
  fence: number;
  delay: number;
  /** That nobody has given it before: when it is for now, it shares a job with others. Default: false. */
  isFirst?: boolean;
}

/** A wake-up for later that nobody needs any more. */
export type NeedlessWakeUp = Pick<WakeUp, 'emailId' | 'accountId' | 'fence'>;

interface Gift extends Woken {
  /** Undefined where it may share a job with others. */
  jobId: string | undefined;
  delay: number;
}

type Order = Gift | { needless: string };

/** Orders beyond this number are dropped while the queue cannot take them; the sweep gives them again. */
const MAX_WAITING = 10_000;
/** A bulk of jobs costs little more than one, and nobody waits for it. */
const RUNS = { maxSize: 500, pace: 10 };
/** Emails that share a job: one costs the queue hardly more than a job of one, and many workers still get their share. */
const MAX_SHARING = 25;
/** How long a queue may take to say who is first in its line, in milliseconds. */
const ANSWER_PATIENCE = 1_000;
/** Jobs at the end of a line that are looked at: workers may take the first of them meanwhile. */
const END = 8;

/**
 * Gives workers wake-ups for due emails. A wake-up may be lost without harm: PostgreSQL knows what is owed, and the sweep
 * finds it. So giving one never fails and never holds up its caller.
 */
@Injectable()
export class DeliveryQueue implements OnModuleInit {
  private readonly logger = new Logger(DeliveryQueue.name);
  /** One per queue: one that does not answer does not hold up the others. */
  private readonly batchers: readonly Batcher<Order, Order>[];
  private failing = false;
  /** The question that is under way; while a queue is away, there is no second one. */
  private waits: Promise<number[]> | undefined;

  /** @param queues one per shard, in the order of `queueNames` */
  constructor(private readonly queues: readonly Queue<DeliveryJob>[]) {
    this.batchers = queues.map((queue) => new Batcher((orders) => this.give(queue, orders), RUNS));
    for (const queue of queues) queue.on('error', () => this.reportFailure());
  }

  async onModuleInit(): Promise<void> {
    await Promise.all(this.queues.map(awaitPostgres));
  }

  wake({ emailId, accountId, fence, delay, isFirst = false }: WakeUp): void {
    const isLater = delay > 0;
    const jobId = isFirst && !isLater ? undefined : idOf({ emailId, fence }, isLater ? 'later' : 'now');
    this.order(accountId, giftOf(emailId, jobId, delay));
  }

  /** Wakes for an email that had its wake-up `delay` milliseconds too early, in whichever queue. */
  wakeAgain(emailId: string, delay: number): void {
    // The job that came too early may still be there, by the other names.
    this.order(emailId, giftOf(emailId, `${emailId}-again`, delay));
  }

  /**
   * Takes the wake-up for later back that was given for a lease, if it is there: what was rescheduled or canceled a
   * thousand times would fill the queue until its times have come. One that stays does no harm.
   */
  forget({ emailId, accountId, fence }: NeedlessWakeUp): void {
    this.order(accountId, { needless: idOf({ emailId, fence }, 'later') });
  }

  /** @param sharding what decides the queue */
  private order(sharding: string, order: Order): void {
    const batcher = this.batchers[shardOf(sharding, this.batchers.length)];
    if (!batcher || batcher.size >= MAX_WAITING) return;
    batcher.add(order).then(
      () => this.reportSuccess(),
      () => this.reportFailure(),
    );
  }

  /** Jobs by state, of all queues; one may stand for many emails. */
  async count(): Promise<Record<string, number>> {
    const counts = await Promise.all(this.queues.map((queue) => queue.getJobCounts('waiting', 'delayed', 'active')));
    const total: Record<string, number> = {};
    for (const [state, count] of counts.flatMap(Object.entries<number>)) total[state] = (total[state] ?? 0) + count;
    return total;
  }

  /**
   * How long the first job in line has waited, in milliseconds, about; 0 when none waits. Of several queues the shortest wait,
   * and of one that cannot say so at once, none.
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

  /** What is given is there before anything is taken back. */
  private async give(queue: Queue<DeliveryJob>, orders: Order[]): Promise<Order[]> {
    const gifts = orders.filter((order) => 'emailId' in order);
    if (gifts.length > 0) await queue.addBulk(jobsOf(gifts));
    await Promise.all(orders.flatMap((order) => ('needless' in order ? [queue.remove(order.needless)] : [])));
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

/** What a job carries that names these emails. */
export function dataOf([first, ...more]: Group): DeliveryJob {
  return more.length === 0 ? first : { ...first, more };
}

/** Looks at both ends of the line: in PostgreSQL, BullMQ counts it from the last that came. */
async function waitOf(queue: Queue<DeliveryJob>): Promise<number> {
  const count = await queue.getWaitingCount();
  if (count === 0) return 0;
  const ends = await Promise.all([queue.getWaiting(0, END - 1), queue.getWaiting(Math.max(count - END, 0), count - 1)]);
  // BullMQ 5 has nothing in the place of a job that was taken meanwhile.
  const times = ends
    .flat()
    .filter(Boolean)
    .map(({ timestamp, opts }) => timestamp + (opts.delay ?? 0));
  return times.length === 0 ? 0 : Math.max(Date.now() - Math.min(...times), 0);
}

function idOf({ emailId, fence }: Pick<WakeUp, 'emailId' | 'fence'>, time: 'later' | 'now'): string {
  return `${emailId}-${fence}-${time}`;
}

function giftOf(emailId: string, jobId: string | undefined, delay: number): Gift {
  const trace = carriedTrace();
  return trace ? { emailId, trace, jobId, delay } : { emailId, jobId, delay };
}

function wokenOf({ emailId, trace }: Woken): Woken {
  return trace ? { emailId, trace } : { emailId };
}

function jobsOf(gifts: readonly Gift[]) {
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

/** As few groups as may be, and as even. */
function evenGroups(emails: readonly Woken[]): Group[] {
  const size = Math.ceil(emails.length / Math.ceil(emails.length / MAX_SHARING));
  const groups: Group[] = [];
  for (let at = 0; at < emails.length; at += size) {
    const [first, ...more] = emails.slice(at, at + size);
    if (first) groups.push([first, ...more]);
  }
  return groups;
}
