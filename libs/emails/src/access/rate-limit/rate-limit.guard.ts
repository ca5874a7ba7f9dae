import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger } from '@nestjs/common';
import { callerOf } from '../../shared/callers/caller.js';
import { checkAccount } from '../../shared/callers/check-account.js';
import { ApiError } from '../../shared/errors/api-error.js';
import type { RateLimiter } from './rate-limiter.js';
import { RATE_LIMITER } from './rate-limiter.token.js';

/**
 * Limits every account to `rateLimit` requests a second. Runs after `ApiKeyGuard`, or another guard that notes the
 * caller (`noteCaller`).
 *
 * @example
 * ```ts
 * @Controller('letters')
 * @UseGuards(ApiKeyGuard, RateLimitGuard)
 * export class LettersController {}
 * ```
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly logger = new Logger(RateLimitGuard.name);

  /** @internal Made by `access()`. */
  constructor(@Inject(RATE_LIMITER) private readonly rateLimiter: RateLimiter | undefined) {}

  /** @throws ApiError 429 with `retry-after` in seconds, 500 when no guard before it noted a caller */
  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const caller = callerOf(http.getRequest<IncomingMessage>());
    if (!this.rateLimiter) return true;
    if (!caller) {
      this.logger.error('RateLimitGuard does not know the account: no guard before it called `noteCaller`.');
      throw ApiError.bug();
    }
    checkAccount(caller.accountId, 'a guard gave to `noteCaller`', this.logger);
    const { allowed, remaining, msBeforeNext } = await this.rateLimiter.consume(caller.accountId);
    const reset = String(Math.max(1, Math.ceil(msBeforeNext / 1_000)));
    const response = http.getResponse<ServerResponse>();
    response.setHeader('ratelimit-limit', String(this.rateLimiter.limit));
    response.setHeader('ratelimit-remaining', String(remaining));
    response.setHeader('ratelimit-reset', reset);
    if (!allowed) throw ApiError.rateLimited({ 'retry-after': reset });
    return true;
  }
}
