import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import type { WebhookDeliveryRepository } from '../storage/delivery.repository.js';

/** Between two rounds. Milliseconds. */
const INTERVAL = 600_000;
/** Events of one step. */
const STEP = 1_000;

/** Deletes what is older than the log is kept, and the logs of webhooks that are deleted, a small step at a time. */
@Injectable()
export class WebhookLogCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;
  /** The log that was looked at last; undefined at the beginning of a round. */
  private place: string | undefined;

  /** @param age milliseconds */
  constructor(
    private readonly repository: Pick<WebhookDeliveryRepository, 'nextLog' | 'clean'>,
    private readonly age: number,
  ) {
    const logger = new Logger(WebhookLogCleaner.name);
    this.task = new PeriodicTask(
      () => this.step(),
      INTERVAL,
      () => logger.warn('Deleting old events of webhooks failed. It will be tried again.'),
    );
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Resolves with true when the round goes on. */
  private async step(): Promise<boolean> {
    const log = await this.repository.nextLog(this.place);
    if (log === undefined) {
      this.place = undefined;
      return false;
    }
    if ((await this.repository.clean(log, this.age, STEP)) < STEP) this.place = log;
    return true;
  }
}
