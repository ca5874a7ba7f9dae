/** Injection token of the `RateLimiter`; undefined while `RATE_LIMIT` is unset. */
export const RATE_LIMITER = Symbol('rate limiter');
