import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Settings } from '../../config/settings.js';
import { HealthController } from './health.controller.js';
import { PostgresProbe } from './postgres.probe.js';
import { PROBES, type Probe } from './probe.js';
import { ReadinessService } from './readiness.service.js';
import { RedisProbe } from './redis.probe.js';
import { transportProbes } from './transport-probes.js';

/** `GET /health/live` and `GET /health/ready`. */
@Module({})
export class HealthModule {
  static register({ role, redisUrls }: Settings, smtpUrls: readonly string[]): DynamicModule {
    // A process that accepts emails keeps accepting them; a worker without its queue or next hop can do nothing.
    const vital = role === 'worker';
    return {
      module: HealthModule,
      controllers: [HealthController],
      providers: [
        {
          provide: PROBES,
          inject: [DataSource],
          useFactory: (dataSource: DataSource): Probe[] => [
            new PostgresProbe('database', true, dataSource, 'SELECT 1'),
            redisUrls === undefined
              ? new PostgresProbe('queue', vital, dataSource, 'SELECT 1 FROM bullmq.migration LIMIT 1')
              : new RedisProbe(redisUrls, vital),
            ...(role === 'api' ? [] : transportProbes(smtpUrls, vital)),
          ],
        },
        ReadinessService,
      ],
    };
  }
}
