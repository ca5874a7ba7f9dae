import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module.js';
import { BacklogMetrics } from './backlog-metrics.service.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';

/** `GET /metrics`, for holders of `ADMIN_TOKEN`. */
@Module({})
export class MetricsModule {
  static register(metrics: Metrics, adminToken: string): DynamicModule {
    return {
      module: MetricsModule,
      imports: [AdminModule.register(adminToken)],
      controllers: [MetricsController],
      providers: [{ provide: Metrics, useValue: metrics }, BacklogMetrics],
    };
  }
}
