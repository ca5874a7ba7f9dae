import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RATE_LIMITER } from './rate-limit.tokens.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';

export interface RateLimitOptions {
  /** Requests per second and account; undefined: no limit. */
  rateLimit: number | undefined;
  redisUrls: readonly string[] | undefined;
}

/** Global, so that the guard can stand beside `ApiKeyGuard` wherever that is used. */
@Module({})
export class RateLimitModule implements OnApplicationShutdown {
  constructor(@Inject(RATE_LIMITER) private readonly rateLimiter: RateLimiter | undefined) {}

  static register({ rateLimit, redisUrls }: RateLimitOptions): DynamicModule {
    return {
      module: RateLimitModule,
      global: true,
      providers: [
        {
          provide: RATE_LIMITER,
          inject: [getDataSourceToken()],
          useFactory: (dataSource: DataSource) =>
            rateLimit === undefined ? undefined : createRateLimiter(rateLimit, redisUrls, dataSource),
        },
        RateLimitGuard,
      ],
      exports: [RATE_LIMITER, RateLimitGuard],
    };
  }

  onApplicationShutdown(): void {
    this.rateLimiter?.close();
  }
}
