import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { whole } from '../../shared/options/number-rules.js';
import type { RateLimitOptions } from '../access.options.js';
import type { Consumption } from './consumption.js';
import { countInPostgres } from './postgres-limit.js';

/** Milliseconds. */
const WINDOW = 1_000;
/**
 * Prefix of keys in Redis, where the host may have other keys. The table in PostgreSQL holds nothing else and needs
 * none.
 */
const PREFIX = 'rate-limit';

/** Requests per second of one account. */
export const PER_SECOND = whole(1, 999_999_999);

/** Counts the requests of the accounts. */
export interface RateLimiter {
  /** Requests per second of one account, over all processes. */
  limit: number;
  consume(accountId: string): Promise<Consumption>;
}

/**
 * Counts in Redis if configured, else in PostgreSQL, by the clock of that server. While Redis is away, each process
 * counts for itself, so that an outage refuses no request.
 */
export function createRateLimiter(options: RateLimitOptions, dataSource: DataSource): RateLimiter {
  const { perSecond, redis } = options;
  if (!redis) {
    const consume = (accountId: string) => countInPostgres(dataSource, accountId, perSecond, WINDOW);
    return { limit: perSecond, consume };
  }
  const window = { points: perSecond, duration: WINDOW / 1_000, keyPrefix: PREFIX };
  const limiter = new RateLimiterRedis({
    ...window,
    storeClient: redis,
    insuranceLimiter: new RateLimiterMemory(window),
  });
  return { limit: perSecond, consume: (accountId) => consumed(limiter.consume(accountId)) };
}

/** The limiter rejects with its state at the limit, and with an error when it cannot count. */
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
