/** Options of `access`. */
export interface AccessOptions {
  /** Default: no limit. */
  rateLimit?: RateLimitOptions;
}

/** Request limit of an account. */
export interface RateLimitOptions {
  /** Requests per second of one account, over all processes: 1 to 999,999,999. */
  perSecond: number;

  /**
   * An `ioredis` client for the counters. It should fail at once while Redis is away (`enableOfflineQueue: false`), and
   * the host closes it. Default: counters in PostgreSQL.
   */
  redis?: object;
}
