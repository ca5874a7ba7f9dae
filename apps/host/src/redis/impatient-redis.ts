import type { OnApplicationShutdown } from '@nestjs/common';
import { openRedis, type RedisClient } from './open-redis.js';
import { redisOptions } from './redis-options.js';

/** Timeout of an answer. Milliseconds. */
const COMMAND_TIMEOUT = 500;

/** A connection to Redis that fails at once while Redis is away. It is closed with the application. */
export class ImpatientRedis implements OnApplicationShutdown {
  readonly client: RedisClient;

  constructor(urls: readonly string[]) {
    this.client = openRedis(urls, {
      ...redisOptions,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT,
    });
    // Reported by the queue, which uses the same Redis.
    this.client.on('error', () => {});
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}
