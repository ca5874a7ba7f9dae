import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Queue, Worker } from 'bullmq';
import { inTime } from '../../shared/work/in-time.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { EmailTransport } from '../ports/email-transport.js';
import { awaitPostgres } from '../queue/await-postgres.js';
import type { DeliveryJob } from '../queue/delivery-queue.js';
import { errorKind } from '../transports/outcomes.js';
import type { DeliveryProcessor } from './delivery.processor.js';
import { workerOf } from './delivery-workers.js';
import { grantsPlaces } from './places.js';
import type { RecoveryService } from './recovery.service.js';

/** How long the next hop may take to answer at the start, in milliseconds. */
const VERIFY_PATIENCE = 10_000;

/** The same of a queue. */
const QUEUE_PATIENCE = 3_000;

export interface RunnerOptions {
  /** Emails at the same time, shared evenly among the queues. */
  concurrency: number;
  /** Milliseconds. */
  shutdownTimeout: number;
}

/** Starts the workers and the sweep when the application is up, and stops them before it goes down. */
@Injectable()
export class DeliveryRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryRunner.name);
  private lanes: readonly Lane[] = [];
  private running = false;
  private stop = () => {};
  private readonly stopped = new Promise<void>((resolve) => {
    this.stop = resolve;
  });

  constructor(
    private readonly queues: readonly Queue<DeliveryJob>[],
    private readonly processor: DeliveryProcessor,
    private readonly recovery: RecoveryService,
    private readonly transport: EmailTransport,
    private readonly options: RunnerOptions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.queues.map((queue) => this.tryQueue(queue)));
    const concurrency = Math.ceil(this.options.concurrency / this.queues.length);
    this.lanes = this.queues.map((queue) => this.laneOf(queue, concurrency));
    await Promise.all(this.lanes.map(({ worker }) => awaitPostgres(worker)));
    for (const { worker } of this.lanes) worker.run().catch(() => this.logger.error('The worker stopped.'));
    this.recovery.start();
    this.running = true;
    void this.tryTransport();
  }

  private laneOf(queue: Queue<DeliveryJob>, concurrency: number): Lane {
    const room = new Semaphore(concurrency);
    return { room, worker: workerOf(queue, (job, token) => this.processor.process(job, room, token)) };
  }

  /** Says so when a queue does not answer. That it cannot be reached, it says itself; emails are found by the sweep meanwhile. */
  private async tryQueue(queue: Queue<DeliveryJob>): Promise<void> {
    const asked = queue.getJobCounts('waiting').catch(() => {});
    await inTime(Promise.race([asked, this.stopped]), QUEUE_PATIENCE, () =>
      this.logger.warn('The queue does not answer. Emails are accepted, and found in PostgreSQL meanwhile.'),
    );
  }

  /** Says so when no email could leave now. Nobody waits for it: they are kept and tried again. */
  private async tryTransport(): Promise<void> {
    try {
      await inTime(Promise.race([this.transport.verify(), this.stopped]), VERIFY_PATIENCE, tooLate);
    } catch (error) {
      if (!this.running) return;
      const hop = this.transport.nextHop ?? 'the next hop';
      this.logger.warn(`Emails cannot be given to ${hop} now: ${errorKind(error)}. They are kept, and tried again.`);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.running) return;
    this.running = false;
    this.stop();
    await this.recovery.stop();
    for (const { room } of this.lanes) room.close();
    // Who waits for a place must not wait for the end; whoever has one keeps it.
    const transportClosed = grantsPlaces(this.transport) ? this.transport.close() : undefined;
    transportClosed?.catch(() => {});
    const finished = await within(this.options.shutdownTimeout, this.endWorkers());
    if (!finished) this.logger.warn('Attempts on the wire did not end in time. Their emails will be tried again.');
    await within(this.options.shutdownTimeout, transportClosed ?? this.transport.close());
  }

  private async endWorkers(): Promise<void> {
    await Promise.all(this.lanes.map(({ worker }) => worker.close()));
    await this.processor.finished();
  }
}

/** What each queue has of this process. */
interface Lane {
  worker: Worker;
  /** For emails. */
  room: Semaphore;
}

function tooLate(): never {
  throw Object.assign(new Error('No answer.'), { code: 'ETIMEDOUT' });
}

/** False when it did not end in time. */
function within(timeout: number, work: Promise<unknown>): Promise<boolean> {
  return inTime(
    work.then(() => true),
    timeout,
    () => false,
  );
}
