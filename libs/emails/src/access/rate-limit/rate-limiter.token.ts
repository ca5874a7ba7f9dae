/** Injection token of the `RateLimiter`; undefined while there is no limit. */
export const RATE_LIMITER = Symbol('nestjs-emails rate limiter');
