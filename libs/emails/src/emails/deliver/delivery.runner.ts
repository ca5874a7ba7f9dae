import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { inTime } from '../../shared/work/in-time.js';
import type { EmailTransport } from '../ports/email-transport.js';
import type { DeliveryProcessor } from './delivery.processor.js';
import { grantsPlaces } from './places.js';
import type { RecoveryService } from './recovery.service.js';

export interface RunnerOptions {
  /** Shared evenly among the queues. */
  concurrency: number;
  /** Milliseconds. */
  shutdownTimeout: number;
}

/** Starts the workers and the sweep when the application is up, and stops them before it goes down. */
@Injectable()
export class DeliveryRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryRunner.name);
  private running = false;

  constructor(
    private readonly processors: readonly DeliveryProcessor[],
    private readonly recovery: RecoveryService,
    private readonly transport: EmailTransport,
    private readonly options: RunnerOptions,
  ) {}

  onApplicationBootstrap(): void {
    for (const { worker } of this.processors) {
      worker.concurrency = Math.ceil(this.options.concurrency / this.processors.length);
      worker.on('error', () => {});
      worker.run().catch(() => this.logger.error('The worker stopped.'));
    }
    this.recovery.start();
    this.running = true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.running) return;
    await this.recovery.stop();
    // Who waits for a place must not wait for the end; whoever has one keeps it.
    const transportClosed = grantsPlaces(this.transport) ? this.transport.close() : undefined;
    transportClosed?.catch(() => {});
    const closed = Promise.all(this.processors.map(({ worker }) => worker.close()));
    const finished = await within(this.options.shutdownTimeout, closed);
    if (!finished) this.logger.warn('Attempts on the wire did not end in time. Their emails will be tried again.');
    await within(this.options.shutdownTimeout, transportClosed ?? this.transport.close());
  }
}

/** False when it did not end in time. */
function within(timeout: number, work: Promise<unknown>): Promise<boolean> {
  return inTime(
    work.then(() => true),
    timeout,
    () => false,
  );
}
