import { Injectable, Logger } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../../shared/errors/api-error.js';
import { remoteNetwork } from '../../shared/net/remote-network.js';
import { ACCESS_LIMITS } from '../limits.js';

const LIMIT = ACCESS_LIMITS.unknownKeys.max;
/** Seconds. */
const WINDOW = 60;

/**
 * Limits callers that guess keys. It counts failures only, so that a valid key is never locked out by other callers of
 * its address. The address is that of the connection, because a caller can put anything into `X-Forwarded-For`.
 */
@Injectable()
export class FailedKeysService {
  private readonly logger = new Logger(FailedKeysService.name);
  private readonly failures = new RateLimiterMemory({ points: LIMIT, duration: WINDOW });

  /** True if this address has reached the limit of failures, so that the next one is refused with 429. */
  async isHeldBack(address: string | undefined): Promise<boolean> {
    const state = await this.failures.get(remoteNetwork(address ?? ''));
    return state !== null && state.consumedPoints >= LIMIT;
  }

  /** @throws ApiError 429 for each failure above 100 within a minute */
  async count(address: string | undefined): Promise<void> {
    try {
      await this.failures.consume(remoteNetwork(address ?? ''));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) {
        throw refusal;
      }
      throw this.tooMany(refusal);
    }
  }

  private tooMany({ consumedPoints, msBeforeNext }: RateLimiterRes): ApiError {
    if (consumedPoints === LIMIT + 1) {
      this.logger.warn(`More than ${LIMIT} requests with unknown API keys came from one address within a minute.`);
    }
    const reset = String(Math.max(1, Math.ceil(msBeforeNext / 1_000)));
    return ApiError.rateLimited({
      'retry-after': reset,
      'ratelimit-limit': String(LIMIT),
      'ratelimit-remaining': '0',
      'ratelimit-reset': reset,
    });
  }
}
