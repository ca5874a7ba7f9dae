import { Cluster, Redis, type RedisOptions } from 'ioredis';

export type RedisClient = Redis | Cluster;

/**
 * A connection to one server, or to a cluster if there are several nodes. The cluster reports its other nodes; user,
 * password and TLS come from the first URL.
 *
 * @param options of one server; in a cluster they apply to each node
 */
export function openRedis(urls: readonly string[], options: RedisOptions): RedisClient {
  const [first = ''] = urls;
  if (urls.length === 1) return new Redis(first, options);
  const { username, password, protocol } = new URL(first);
  const { retryStrategy, enableOfflineQueue = true, ...each } = options;
  return new Cluster([...urls], {
    enableOfflineQueue,
    clusterRetryStrategy: (times) => retryStrategy?.(times),
    redisOptions: {
      ...each,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
    // Certificates contain host names, so a node's name must not be resolved to an address.
    ...(protocol === 'rediss:' && { dnsLookup: (address, callback) => callback(null, address) }),
  });
}
