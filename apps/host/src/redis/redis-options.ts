import type { RedisOptions } from 'bullmq';

/** Longest pause between two attempts to reach Redis again, in milliseconds. */
const RECONNECT_CEILING = 2_000;

/** A connection that owes an answer for so long is given up. A worker's question may take 10 s. Milliseconds. */
const SOCKET_TIMEOUT = 15_000;

/** What all connections to Redis have in common. Commands of workers wait for as long as Redis is away. */
export const redisOptions: RedisOptions = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  socketTimeout: SOCKET_TIMEOUT,
  maxRetriesPerRequest: null,
  retryStrategy: (times) => Math.min(times * 200, RECONNECT_CEILING),
};
