import type { Pool, QueryConfig } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { openRedis } from '../queue/open-redis.js';
import { redisOptions } from '../queue/queue-connection.js';

/** Made by a migration. */
export const RATE_LIMITS_TABLE = 'rate_limits';

export interface RateLimiter {
  /** Requests per second of one account, over all processes. */
  limit: number;
  limiter: RateLimiterAbstract;
  close(): void;
}

/**
 * Counts in Redis when there is one, else in PostgreSQL. While Redis is away each process counts for itself, so that
 * its absence refuses nobody.
 */
export function createRateLimiter(
  limit: number,
  redisUrls: readonly string[] | undefined,
  dataSource: DataSource,
): RateLimiter {
  const window = { points: limit, duration: 1, keyPrefix: 'rate-limit' };
  if (redisUrls === undefined) {
    const storage = {
      storeClient: unnamed(dataSource),
      storeType: 'pool',
      tableName: RATE_LIMITS_TABLE,
      tableCreated: true,
    };
    return { limit, limiter: new RateLimiterPostgres({ ...window, ...storage }), close: () => {} };
  }
  const client = openRedis(redisUrls, {
    ...redisOptions,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 500,
  });
  // Reported by the queue, which uses the same Redis.
  client.on('error', () => {});
  return {
    limit,
    limiter: new RateLimiterRedis({ ...window, storeClient: client, insuranceLimiter: new RateLimiterMemory(window) }),
    close: () => client.disconnect(),
  };
}

/** The pool of a data source, without names for statements: behind a pooler they would be prepared on other connections. */
function unnamed(dataSource: DataSource) {
  const { master } = dataSource.driver as unknown as { master: Pool };
  return { query: ({ text, values }: QueryConfig) => master.query({ text, ...(values && { values }) }) };
}
