import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { whole } from '../../shared/options/number-rules.js';
import type { RateLimitOptions } from '../access.options.js';
import type { Consumption } from './consumption.js';
import { countInPostgres } from './postgres-limit.js';

/** Milliseconds. */
const WINDOW = 1_000;
/** Of keys in Redis, which the host has other uses for; the table in PostgreSQL is the limiter's own. */
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
 * Counts in Redis when there is one, else in PostgreSQL, by the clock of either. While Redis is away each process counts
 * for itself, so that its absence refuses nobody.
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
