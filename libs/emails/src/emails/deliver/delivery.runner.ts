import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Worker } from 'bullmq';
import { inTime } from '../../shared/work/in-time.js';
import type { EmailTransport } from '../ports/email-transport.js';
import { awaitPostgres } from '../queue/await-postgres.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import { errorKind } from '../transports/outcomes.js';
import type { DeliveryProcessor } from './delivery.processor.js';
import type { DeliveryService } from './delivery.service.js';
import type { RecoveryService } from './recovery.service.js';
import type { Route } from './routes/route.js';
import { grantsSlots } from './transport-slots.js';

/** Time limit for the next hop's answer at the start. Milliseconds. */
const VERIFY_PATIENCE = 10_000;

/** Time limit for the queues' answer at the start. Milliseconds. */
const QUEUE_PATIENCE = 3_000;

const NO_WORKER =
  'EmailsModule: its processors have no workers, so no email would be sent. Leave `manualRegistration` out of the ' +
  '`extraOptions` of `BullModule`, or call `app.get(BullRegistrar).register()` before `app.init()` and `app.listen()`.';

/** Gets the function that ends the deliveries of this process: it resolves with the number of emails in progress. */
interface Drain {
  use(end: (until: Date) => Promise<number>): void;
  /** True if the drain was requested already. */
  readonly isRequested: boolean;
}

/** The end of the work of a process. */
interface Ending {
  /** Resolves when no worker gets a job any more, which needs answers of the queues. */
  closed: Promise<unknown>;
  /** Resolves when the transports with slots are closed. */
  early: Promise<unknown>;
  /** Resolves when no email is in progress. */
  finished: Promise<unknown>;
}

/** Starts the workers and the sweep with the application, and stops them before it shuts down, or for a drain. */
@Injectable()
export class DeliveryRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryRunner.name);
  private running = false;
  private ending: Ending | undefined;
  private stop = () => {};
  private readonly stopped = new Promise<void>((resolve) => {
    this.stop = resolve;
  });

  /**
   * @param processors one per queue
   * @param shutdownTimeout time limit for attempts on the wire and for the queues. Milliseconds
   */
  constructor(
    private readonly processors: readonly DeliveryProcessor[],
    private readonly queue: Pick<DeliveryQueue, 'count' | 'cut'>,
    private readonly recovery: Pick<RecoveryService, 'start' | 'stop'>,
    private readonly delivery: Pick<DeliveryService, 'routes' | 'size'>,
    private readonly drain: Drain,
    private readonly shutdownTimeout: number,
  ) {}

  /** @throws Error with the remedy when there are no workers, or when the queue's PostgreSQL cannot be used */
  async onApplicationBootstrap(): Promise<void> {
    const workers = this.processors.map(workerOf);
    await this.tryQueue();
    await Promise.all(workers.map(awaitPostgres));
    this.running = true;
    this.drain.use((until) => this.finishUntil(until));
    if (this.drain.isRequested) {
      this.logger.log('Takes no emails: the process was drained before its workers started.');
      return;
    }
    for (const worker of workers) worker.run().catch(() => this.logger.error('The worker stopped.'));
    this.recovery.start();
    for (const route of this.delivery.routes.all) void this.tryTransport(route);
  }

  /**
   * Reports queues that do not answer. Connection failures are reported by the queues themselves; the sweep finds
   * emails meanwhile.
   */
  private async tryQueue(): Promise<void> {
    const asked = this.queue.count().catch(() => {});
    await inTime(Promise.race([asked, this.stopped]), QUEUE_PATIENCE, () =>
      this.logger.warn('The queue does not answer. Emails are accepted, and workers find them in PostgreSQL.'),
    );
  }

  /**
   * Reports a next hop that does not accept mail now. The start does not wait for it: emails are kept and tried again.
   */
  private async tryTransport({ name, transport }: Pick<Route, 'name' | 'transport'>): Promise<void> {
    try {
      await inTime(Promise.race([transport.verify(), this.stopped]), VERIFY_PATIENCE, tooLate);
    } catch (error) {
      if (!this.running) return;
      this.logger.warn(`Emails cannot be given to ${name} now: ${errorKind(error)}. They are kept, and tried again.`);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.running) return;
    this.running = false;
    const { closed, early, finished } = this.end();
    if (!(await within(this.shutdownTimeout, finished))) {
      this.logger.warn('Attempts on the wire did not end in time. Their emails will be tried again.');
      // If only attempts are slow, the workers are closed by now.
      if (!(await within(0, closed))) this.cut();
    }
    const others = this.transports.filter((transport) => !grantsSlots(transport)).map((transport) => transport.close());
    await within(this.shutdownTimeout, Promise.all([early, ...others]));
  }

  /** Takes no email any more, and resolves with the number of those in progress, at `until` at the latest. */
  private async finishUntil(until: Date): Promise<number> {
    if (!this.ending)
      this.logger.log(`Takes no more emails. Waits for those in progress until ${until.toISOString()}.`);
    const { finished } = this.end();
    await within(Math.max(0, until.getTime() - Date.now()), finished);
    const { size } = this.delivery;
    this.logger.log(`${size} emails are in progress. Other processes send the rest.`);
    return size;
  }

  /** Begins the end, once. */
  private end(): Ending {
    this.ending ??= this.beginEnd();
    return this.ending;
  }

  private beginEnd(): Ending {
    this.stop();
    const swept = this.recovery.stop();
    const closed = Promise.all(this.processors.map((processor) => processor.close()));
    // Attempts that wait for a slot must not wait until the end. Attempts that hold one keep it.
    const early = Promise.all(this.transports.filter(grantsSlots).map((transport) => transport.close()));
    const inProgress = closed.then(() => Promise.all(this.processors.map((processor) => processor.finished())));
    const finished = Promise.all([swept, inProgress]);
    for (const ended of [early, finished]) ended.catch(() => {});
    return { closed, early, finished };
  }

  private get transports(): EmailTransport[] {
    return this.delivery.routes.all.map(({ transport }) => transport);
  }

  private cut(): void {
    for (const processor of this.processors) processor.cut();
    this.queue.cut();
  }
}

function workerOf(processor: DeliveryProcessor): Worker {
  try {
    return processor.worker;
  } catch (cause) {
    throw new Error(NO_WORKER, { cause });
  }
}

function tooLate(): never {
  throw Object.assign(new Error('No answer.'), { code: 'ETIMEDOUT' });
}

/** Resolves with false when the work did not end in time. */
function within(timeout: number, work: Promise<unknown>): Promise<boolean> {
  return inTime(
    work.then(() => true),
    timeout,
    () => false,
  );
}
