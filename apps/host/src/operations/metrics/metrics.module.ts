import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module.js';
import { BacklogMetrics } from './backlog-metrics.service.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';

/** `GET /metrics`, for who knows `ADMIN_TOKEN`. */
@Module({})
export class MetricsModule {
  /** @param library modules that know what is to be done */
  static register(metrics: Metrics, library: readonly DynamicModule[], adminToken: string): DynamicModule {
    return {
      module: MetricsModule,
      imports: [...library, AdminModule.register(adminToken)],
      controllers: [MetricsController],
      providers: [{ provide: Metrics, useValue: metrics }, BacklogMetrics],
    };
  }
}
