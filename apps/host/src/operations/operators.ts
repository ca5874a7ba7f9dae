import type { DynamicModule } from '@nestjs/common';
import { BoardModule } from './board/board.module.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { WebhookMetrics } from './metrics/webhook-metrics.js';

/**
 * Views of operators. A separate file, loaded only with `ADMIN_TOKEN`: its many dependencies would slow down every
 * start.
 */
export class Operators {
  /** Observers of events. */
  readonly metrics = new Metrics();
  readonly webhookMetrics = new WebhookMetrics(this.metrics.registry);

  constructor(
    private readonly adminToken: string,
    private readonly queueShards: number,
  ) {}

  modules(): DynamicModule[] {
    return [
      MetricsModule.register(this.metrics, this.adminToken),
      BoardModule.register(this.adminToken, this.queueShards),
    ];
  }
}
