import { openRedis, type RedisClient } from '../../redis/open-redis.js';
import { redisOptions } from '../../redis/redis-options.js';
import type { Probe } from './probe.js';

/** Pings Redis on a separate connection, so that a busy queue does not look like a dead one. */
export class RedisProbe implements Probe {
  readonly name = 'queue';
  private readonly redis: RedisClient;

  constructor(
    redisUrls: readonly string[],
    readonly vital: boolean,
  ) {
    this.redis = openRedis(redisUrls, {
      ...redisOptions,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 2_000,
    });
    // `check` reports it.
    this.redis.on('error', () => undefined);
  }

  async check(): Promise<void> {
    await this.redis.ping();
  }

  reason(): string {
    return 'Redis does not answer';
  }

  close(): void {
    this.redis.disconnect();
  }
}
