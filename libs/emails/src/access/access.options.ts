import type { CanActivate, Type } from '@nestjs/common';
import type { FeatureExtras } from '../shared/features/feature.options.js';

/** What `forRoot` and the factory of `forRootAsync` return. */
export interface AccessOptions {
  /** Default: no limit. */
  rateLimit?: RateLimitOptions;
}

/** How many requests an account may send. */
export interface RateLimitOptions {
  /** Requests per second of one account, over all processes: 1 to 999,999,999. */
  perSecond: number;

  /**
   * A client of `ioredis` to count in, which should fail at once while Redis is away (`enableOfflineQueue: false`); it
   * stays the host's to close. Default: counted in PostgreSQL.
   */
  redis?: object;
}

/** Decided when the module is composed, before any provider exists. */
export interface AccessExtras extends FeatureExtras {
  /**
   * Further guards of `/api-keys`, resolved from `imports`. They run after `ApiKeyGuard` and `RateLimitGuard`. Default:
   * none, and whoever has a key with full access makes and revokes keys of its account.
   */
  guards?: readonly Type<CanActivate>[];
}
