import { Module } from '@nestjs/common';
import type { AccessOptions, FeatureSettings } from 'nestjs-emails/access';
import type { Settings } from '../config/settings.js';
import { ImpatientRedis } from './impatient-redis.js';

/** Closes the connection of the rate limit with the application. */
@Module({})
class RateLimitModule {}

/** The rate limit, counted in Redis if configured. */
export function rateLimitOf({ rateLimit: perSecond, redisUrls }: Settings): FeatureSettings<AccessOptions> {
  if (perSecond === undefined) return {};
  if (redisUrls === undefined) return { rateLimit: { perSecond } };
  const provider = { provide: ImpatientRedis, useFactory: () => new ImpatientRedis(redisUrls) };
  return {
    imports: [{ module: RateLimitModule, providers: [provider], exports: [ImpatientRedis] }],
    inject: [ImpatientRedis],
    useFactory: ({ client: redis }: ImpatientRedis) => ({ rateLimit: { perSecond, redis } }),
  };
}
