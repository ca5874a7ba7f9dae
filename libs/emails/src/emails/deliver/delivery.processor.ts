import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { SpanKind } from '@opentelemetry/api';
import { DelayedError, type Job, type Queue } from 'bullmq';
import { traced } from '../../shared/tracing/tracing.js';
import { cutConnections } from '../queue/cut-connections.js';
import { type DeliveryJob, type DeliveryQueue, dataOf, emailsOf, type Woken } from '../queue/delivery-queue.js';
import type { DeliveryService } from './delivery.service.js';
import type { DeliveryPlaces } from './delivery-places.js';

/**
 * Milliseconds. A job of a dead worker moves to another worker within about twice this time; by then the lease, and
 * with it the email, is free again. A worker that cannot reach the queue tries again after `runRetryDelay`.
 */
const TIMES = { lockDuration: 5_000, stalledInterval: 3_000, runRetryDelay: 1_000 };

/**
 * Jobs that a worker takes at the same time, and while places for their emails are short: others may have some, and jobs in hand
 * are before those that come. The second one is there when the first goes back, so that its lane has no gap.
 */
const JOBS = 4;
const JOBS_WHEN_SHORT = 2;
/**
 * Time without a place after which the rest of a job goes back, so that the worker gets the one whose turn it is by now: of an
 * account with few emails. Twice the time from one place to the next, since going back each few milliseconds would load the queue
 * for nothing while places are stuck, or come slowly. A job with one email waits longer: any other would need the same place.
 * Milliseconds.
 */
const PATIENCE = { least: 10, ofOne: 100, most: 320 };
/** The time in all, relative to that. */
const IN_ALL = 2;

/**
 * Works on the jobs of one queue. The lease decides, not the job: BullMQ may run stalled and duplicate jobs as often as
 * it likes.
 *
 * A job ends as soon as all of its emails have begun, so that a slow email does not keep other jobs from starting. From
 * then on the lease covers the emails: if this process dies, the sweep finds them when their leases have run out.
 */
export class DeliveryProcessor extends WorkerHost {
  private readonly underway = new Set<Promise<void>>();

  /**
   * @param places shared with the other lane
   * @param isBulk whether the queue has the lane `bulk`
   */
  constructor(
    private readonly delivery: Pick<DeliveryService, 'deliver'>,
    private readonly queue: Pick<DeliveryQueue, 'wakeAgain'>,
    private readonly places: DeliveryPlaces,
    private readonly isBulk: boolean,
  ) {
    super();
  }

  async process(job: Job<DeliveryJob>, token?: string): Promise<void> {
    const emails = emailsOf(job.data);
    const isAhead = this.places.waits.isAhead(Date.now() - job.timestamp - (job.opts.delay ?? 0));
    const begin = (at: number) => this.begin(emails[at] as Woken, isAhead);
    const patience = this.patienceOf(emails.length);
    const given = this.places.give({
      ...{ count: emails.length, isBulk: this.isBulk, turn: job.opts.priority ?? 0, begin },
      ...{ patience, limit: IN_ALL * patience },
    });
    this.worker.concurrency = this.places.areShort ? JOBS_WHEN_SHORT : JOBS;
    const begun = await given;
    if (begun < emails.length) return returnToQueue(job, emails.slice(begun), token);
  }

  private patienceOf(count: number): number {
    const least = count === 1 ? PATIENCE.ofOne : PATIENCE.least;
    return Math.min(Math.max(2 * this.places.interval, least), PATIENCE.most);
  }

  /** Silent: `DeliveryQueue` uses the same server and reports the error once. */
  @OnWorkerEvent('error')
  onError(): void {}

  /**
   * Returns emails that have not begun to the queue. Resolves when the worker is closed, which needs answers of the
   * queue.
   */
  close(): Promise<void> {
    this.places.close();
    return this.worker.close();
  }

  /** Cuts the worker's connections to the queue, so that `close` ends without answers. */
  cut(): void {
    cutConnections(this.worker);
  }

  /** Resolves when no email is in progress. */
  async finished(): Promise<void> {
    await Promise.all(this.underway);
  }

  private begin(email: Woken, isAhead: boolean): void {
    const delivered = this.deliver(email, isAhead).finally(() => {
      this.places.release();
      this.underway.delete(delivered);
    });
    this.underway.add(delivered);
  }

  private async deliver({ emailId, trace }: Woken, isAhead: boolean): Promise<void> {
    const span = { kind: SpanKind.CONSUMER, attributes: { 'emails.email_id': emailId }, parent: trace };
    try {
      await traced('emails.deliver', span, async () => {
        const wait = await this.delivery.deliver(emailId, isAhead);
        if (wait !== undefined) this.queue.wakeAgain(emailId, wait, this.isBulk);
      });
    } catch {
      // The failure is reported already. The sweep finds the email; the other emails of its job continue.
    }
  }
}

/**
 * Creates the processor class of one queue. Nest finds the worker's queue by the name in `@Processor`, and that name is
 * known only at the start: so each queue has a class of its own.
 *
 * @param configKey key of the host's BullMQ configuration, with the connection and the prefix. Default: the unnamed one
 */
export function deliveryProcessorOf(
  queue: Queue<DeliveryJob>,
  configKey: string | undefined,
): typeof DeliveryProcessor {
  @Processor(
    { name: queue.name, ...(configKey !== undefined && { configKey }) },
    { ...sharedOptions(queue), ...TIMES, concurrency: JOBS, maxStalledCount: 1_000_000, autorun: false },
  )
  class QueueProcessor extends DeliveryProcessor {}
  return QueueProcessor;
}

/**
 * Options of a queue that its worker shares. Nest finds the worker's options by the configuration's key alone, and
 * another module of the application may use the same key. BullMQ 5.0 lacks some of them.
 */
const SHARED = new Set(['connection', 'prefix', 'telemetry', 'skipVersionCheck']);

function sharedOptions({ opts }: Queue): object {
  return Object.fromEntries(Object.entries(opts).filter(([name]) => SHARED.has(name)));
}

/** Returns these emails to the queue for the next worker. */
async function returnToQueue(
  job: Job<DeliveryJob>,
  [first, ...more]: readonly Woken[],
  token?: string,
): Promise<never> {
  if (first && emailsOf(job.data).length > more.length + 1) await job.updateData(dataOf([first, ...more]));
  await job.moveToDelayed(Date.now(), token);
  throw new DelayedError();
}
