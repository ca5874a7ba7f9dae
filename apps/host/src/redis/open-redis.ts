import { Cluster, Redis, type RedisOptions } from 'ioredis';

export type RedisClient = Redis | Cluster;

/**
 * A connection to one server, or to a cluster when several nodes are named. A cluster tells its other nodes itself; user,
 * password and TLS are those of the first URL.
 *
 * @param options as for one server; in a cluster they are those of each node
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
    // Certificates name hosts, so a name that a node gives itself must not be turned into an address.
    ...(protocol === 'rediss:' && { dnsLookup: (address, callback) => callback(null, address) }),
  });
}
