import type { DynamicModule } from '@nestjs/common';
import { BoardModule } from './board/board.module.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { WebhookMetrics } from './metrics/webhook-metrics.js';

/**
 * What operators see. In a file of its own that is loaded only where `ADMIN_TOKEN` is set: it brings much with it, for
 * which every start would have to wait.
 */
export class Operators {
  /** To be told of what happens. */
  readonly metrics = new Metrics();
  readonly webhookMetrics = new WebhookMetrics(this.metrics.registry);

  constructor(
    private readonly adminToken: string,
    private readonly queueShards: number,
  ) {}

  /** @param library modules that know what is to be done */
  modules(...library: readonly DynamicModule[]): DynamicModule[] {
    return [
      MetricsModule.register(this.metrics, library, this.adminToken),
      BoardModule.register(this.adminToken, this.queueShards),
    ];
  }
}
