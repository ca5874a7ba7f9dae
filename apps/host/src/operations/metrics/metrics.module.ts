import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module.js';
import { BacklogMetrics } from './backlog-metrics.service.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';

/** `GET /metrics`, for who knows `ADMIN_TOKEN`. */
@Module({})
export class MetricsModule {
  /** @param emails the library, which knows what is to be done */
  static register(metrics: Metrics, emails: DynamicModule, adminToken: string): DynamicModule {
    return {
      module: MetricsModule,
      imports: [emails, AdminModule.register(adminToken)],
      controllers: [MetricsController],
      providers: [{ provide: Metrics, useValue: metrics }, BacklogMetrics],
    };
  }
}
