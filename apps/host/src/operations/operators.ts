import type { DynamicModule } from '@nestjs/common';
import { BoardModule } from './board/board.module.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsModule } from './metrics/metrics.module.js';

/**
 * What operators see. In a file of its own that is loaded only where `ADMIN_TOKEN` is set: it brings much with it, for
 * which every start would have to wait.
 */
export class Operators {
  /** To be told of what happens. */
  readonly metrics = new Metrics();

  constructor(
    private readonly adminToken: string,
    private readonly queueShards: number,
  ) {}

  /** @param emails the library, which knows what is to be done */
  modules(emails: DynamicModule): DynamicModule[] {
    return [
      MetricsModule.register(this.metrics, emails, this.adminToken),
      BoardModule.register(this.adminToken, this.queueShards),
    ];
  }
}
