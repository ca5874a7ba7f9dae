import { Inject, Injectable } from '@nestjs/common';
import type { HousekeepingTask } from '../../index.js';
import { WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import type { WebhooksOptions } from '../webhooks.options.js';
import { WEBHOOKS_OPTIONS } from '../webhooks.tokens.js';

/** Default retention of the log: 30 days. Milliseconds. */
const KEPT = 30 * 86_400_000;
/** Events of one step. */
const STEP = 1_000;

/** Deletes expired log entries, and the logs of deleted webhooks, in small steps. */
@Injectable()
export class WebhookLogCleaner implements HousekeepingTask {
  readonly interval = 600_000;
  /** The log that was cleaned last; undefined at the start of a round. */
  private position: string | undefined;

  constructor(
    private readonly repository: WebhookDeliveryRepository,
    @Inject(WEBHOOKS_OPTIONS) private readonly options: Pick<WebhooksOptions, 'logRetention'>,
  ) {}

  async step(): Promise<boolean> {
    const log = await this.repository.nextLog(this.position);
    if (log === undefined) {
      this.position = undefined;
      return false;
    }
    if ((await this.repository.clean(log, this.options.logRetention ?? KEPT, STEP)) < STEP) this.position = log;
    return true;
  }
}
