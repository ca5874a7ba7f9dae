import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { openRedis } from '../../redis/open-redis.js';
import { redisOptions } from '../../redis/redis-options.js';
import type { Consumption } from './consumption.js';
import { countInPostgres } from './postgres-limit.js';

/** Milliseconds. */
const WINDOW = 1_000;
const PREFIX = 'rate-limit';

export interface RateLimiter {
  /** Requests per second of one account, over all processes. */
  limit: number;
  consume(accountId: string): Promise<Consumption>;
  close(): void;
}

/**
 * Counts in Redis when there is one, else in PostgreSQL, by the clock of either. While Redis is away each process counts
 * for itself, so that its absence refuses nobody.
 */
export function createRateLimiter(
  limit: number,
  redisUrls: readonly string[] | undefined,
  dataSource: DataSource,
): RateLimiter {
  if (redisUrls === undefined) {
    const consume = (accountId: string) => countInPostgres(dataSource, `${PREFIX}:${accountId}`, limit, WINDOW);
    return { limit, consume, close: () => {} };
  }
  const client = openRedis(redisUrls, {
    ...redisOptions,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 500,
  });
  // Reported by the queue, which uses the same Redis.
  client.on('error', () => {});
  const window = { points: limit, duration: WINDOW / 1_000, keyPrefix: PREFIX };
  const limiter = new RateLimiterRedis({
    ...window,
    storeClient: client,
    insuranceLimiter: new RateLimiterMemory(window),
  });
  return { limit, consume: (accountId) => consumed(limiter.consume(accountId)), close: () => client.disconnect() };
}

/** The limiter rejects with its state when the limit is reached, and with an error when it cannot count. */
async function consumed(consumption: Promise<RateLimiterRes>): Promise<Consumption> {
  try {
    return toConsumption(true, await consumption);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return toConsumption(false, refusal);
  }
}

function toConsumption(allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Consumption {
  return { allowed, remaining: Math.max(0, remainingPoints), msBeforeNext };
}
