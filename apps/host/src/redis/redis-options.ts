import type { RedisOptions } from 'bullmq';

/** Longest delay between two attempts to reconnect. Milliseconds. */
const RECONNECT_CEILING = 2_000;

/** Timeout of an answer after which a connection is closed. A worker's command may take 10 s. Milliseconds. */
const SOCKET_TIMEOUT = 15_000;

/** Common options of connections to Redis. Commands of workers wait while Redis is away. */
export const redisOptions: RedisOptions = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  socketTimeout: SOCKET_TIMEOUT,
  maxRetriesPerRequest: null,
  retryStrategy: (times) => Math.min(times * 200, RECONNECT_CEILING),
};
