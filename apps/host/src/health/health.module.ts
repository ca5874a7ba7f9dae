import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HealthController } from './health.controller.js';
import { PostgresProbe } from './postgres.probe.js';
import { PROBES, type Probe } from './probe.js';
import { ReadinessService } from './readiness.service.js';
import { RedisProbe } from './redis.probe.js';

/** `GET /health/live` and `GET /health/ready`. */
@Module({})
export class HealthModule {
  /** @param redisUrl where the queue is; undefined when it is in PostgreSQL */
  static register(redisUrl: string | undefined): DynamicModule {
    return {
      module: HealthModule,
      controllers: [HealthController],
      providers: [
        {
          provide: PROBES,
          inject: [DataSource],
          useFactory: (dataSource: DataSource): Probe[] => [
            new PostgresProbe('database', dataSource, 'SELECT 1'),
            redisUrl === undefined
              ? new PostgresProbe('queue', dataSource, 'SELECT 1 FROM bullmq.migration LIMIT 1')
              : new RedisProbe(redisUrl),
          ],
        },
        ReadinessService,
      ],
    };
  }
}
