import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../../../shared/errors/api-error.js';
import { addressKey } from '../../../shared/mailbox/address-key.js';
import { remoteNetwork } from '../../../shared/net/remote-network.js';
import { AUDIENCE_LIMITS } from '../../limits.js';
import type { Reader } from '../choices/reader-choices.js';

const LIMIT = AUDIENCE_LIMITS.unsubscribeRequests.max;
/** Seconds. */
const WINDOW = 60;

/**
 * Limits of requests without a key. Valid links are counted for their reader, not for the network: mailbox providers
 * unsubscribe many people from few addresses, and behind a proxy all requests have the same. Wrong ones are counted for
 * the network, as unknown API keys are, and the valid links from there still work.
 */
export class UnsubscribeLimits {
  private readonly readers = new RateLimiterMemory({ points: LIMIT, duration: WINDOW });
  private readonly wrong = new RateLimiterMemory({ points: LIMIT, duration: WINDOW });

  /** @throws ApiError 429 for each request above 60 within a minute */
  countReader({ accountId, address }: Reader): Promise<void> {
    const hash = createHash('sha256')
      .update(`${accountId}\0${addressKey(address)}`)
      .digest('base64');
    return count(this.readers, hash);
  }

  /** @throws ApiError 429 for each request above 60 within a minute */
  countWrong(remoteAddress: string | undefined): Promise<void> {
    return count(this.wrong, remoteNetwork(remoteAddress ?? ''));
  }
}

async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const reset = String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)));
    throw ApiError.rateLimited({
      'retry-after': reset,
      'ratelimit-limit': String(LIMIT),
      'ratelimit-remaining': '0',
      'ratelimit-reset': reset,
    });
  }
}
